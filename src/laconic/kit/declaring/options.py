"""Options: what a declaration may add to a function's signature."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from laconic.data import dataclass

if TYPE_CHECKING:
    from laconic.kit.declaring.rules import Rule

__all__ = ["Options", "Question", "Versioned"]

Question = Callable[[Mapping[str, Any], Any], str | None]
"""Takes the arguments by wire name and the toolset's configuration; returns what to confirm, or None."""


class Versioned(str):
    """The argument that names the expected version, listed by its type alone: `Versioned("version", int)`."""

    kind: type[int] | type[str]

    def __new__(cls, name: str, kind: type[int] | type[str]) -> Versioned:
        """Take the argument's name and the type of versions."""
        made = super().__new__(cls, name)
        made.kind = kind
        return made

    def __deepcopy__(self, memo: object) -> Versioned:
        """Return the same: it cannot change, and could not be made from its name alone."""
        return self


@dataclass(frozen=True, kw_only=True)
class Options:
    """The keywords of `@toolset.read`, `create`, `update` and `delete`; a spec has them as attributes."""

    name: str = ""  # on the wire; empty: the function's
    title: str | None = None
    says: Sequence[str] = ()  # what people say who want it, for finding it in a long list
    hint: str | None = None  # what to do when something is not found: a sentence, or the tool that finds it
    was: str | Collection[str] | Mapping[str, Mapping[str, str]] = ()  # former names, with their arguments
    also: str | Collection[str] = ()  # second names, which are not former ones
    behind: str = ""  # a tool that does the same and more: where it is served, the finder shows only that
    tags: Collection[str] = ()  # words for profiles to choose by
    listed: bool = False  # keep former names in the list
    since: str | None = None
    until: str | None = None  # the version that drops the former names
    confirm: str | Question | None = None  # what to confirm; `{name}` is an argument
    guard: str | None = None  # the argument that names the expected version; a Versioned knows its type
    deadline: float | None = None  # seconds
    attempts: int | None = None  # of a read whose other system is down; None: as the server is set up
    format: str | None = None  # the format used when the caller names none
    fields: str | None = "fields"  # the name of the kit's field selection; None: not offered
    json: str | None = None  # the name of an argument with which a caller gets data as JSON in the text
    rules: Sequence[Rule] = ()  # between arguments
    because: str | None = None  # why it differs from the table of annotations in one of these three:
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    replays: bool | None = None  # takes an idempotency key; None: every create does
    cache: float | None = None  # seconds a read may be answered from the cache
    clears: Collection[str] = ()  # the reads a write makes stale; empty: all of its toolset
    subject: str | None = None  # `doc:{id}`: what a read shows and a write changes, which drops kept answers
    rate: int | None = None  # calls per minute per caller
    in_order: bool | None = None  # a plain function that waits for its turn; None: every write does
    gathers: str | None = None  # the argument that collects arguments the tool does not know
    relays: bool | str = False  # calls another, which is counted and timed; a name: with this argument
    # values of an argument with which a write only reads, so that it is allowed where nothing may be changed
    reads_with: Mapping[str, Collection[str]] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)  # tools for arguments that this one has not
    unlisted: Collection[str] = ()  # arguments that are accepted and not listed, by wire name
    budget: int | None = None  # characters of an answer before the rest is kept aside; 0: no limit
    meta: Mapping[str, Any] = field(default_factory=dict)
    extra_schema: Mapping[str, Any] = field(default_factory=dict)  # keywords added to the generated schema
