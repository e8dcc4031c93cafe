"""What a declared tool, resource or prompt is: frozen data that everything else reads."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from laconic.kit.declaring.rules import Rule
    from laconic.kit.declaring.signature import Signature

__all__ = ["ANNOTATIONS", "Effect", "Former", "Hints", "PromptSpec", "ResourceSpec", "Spec", "ToolSpec"]

Casing = Literal["camel", "snake"]
Function = Callable[..., Awaitable[Any]]


class Effect(Enum):
    """What a tool does to the world: the four verbs of a Toolset."""

    READ = "read"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True)
class Hints:
    """The four annotations of the protocol."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = False

    def wire(self) -> dict[str, bool]:
        """Spell them as the protocol does; all four, since the protocol's defaults are the alarming ones."""
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }


# The one table that decides annotations; a tool that differs says so in its declaration, with the reason.
ANNOTATIONS: Mapping[Effect, Hints] = {
    Effect.READ: Hints(read_only=True, destructive=False, idempotent=True),
    Effect.CREATE: Hints(read_only=False, destructive=False, idempotent=False),
    Effect.UPDATE: Hints(read_only=False, destructive=False, idempotent=True),
    Effect.DELETE: Hints(read_only=False, destructive=True, idempotent=False),
}


@dataclass(frozen=True)
class Former:
    """A name a tool had before, and what its arguments were called then."""

    name: str
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Spec:
    """What tools, resources and prompts have in common: a named function on the path of a call."""

    name: str
    toolset: str
    function: Function
    case: Casing = "snake"
    provides: tuple[type, ...] = ()
    hint: str | None = None
    deadline: float | None = None
    effect: Effect = Effect.READ
    confirm: str | None = None  # the question that needs a yes
    guard: str | None = None  # the argument that names the expected version
    format: str | None = None  # the format used when the caller names none
    fields: str | None = "fields"  # what the kit's field selection is called here; None leaves it out
    rules: tuple[Rule, ...] = ()
    replays: bool = False  # takes an idempotency key
    cache: float | None = None  # seconds a read may be answered from memory
    clears: tuple[str, ...] = ()  # the reads a write makes stale; none named means all of its toolset
    subject: str | None = (
        None  # what a read shows and a write touches, `doc:{id}`: a kept answer is dropped with it
    )
    rate: int | None = None  # calls a minute and caller
    gathers: str | None = None  # the argument that takes in what the tool does not know
    relays: bool = False  # calls another tool, which is counted and timed by itself
    unlisted: tuple[str, ...] = ()  # arguments that are understood and not listed, by wire name
    budget: int | None = None  # characters of an answer before the rest is kept aside
    extra_schema: Mapping[str, Any] = field(default_factory=dict)  # keywords beside the generated ones

    @cached_property
    def description(self) -> str:
        """The docstring, whole."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @cached_property
    def signature(self) -> Signature:
        """The function's parameters and return type, read on first use."""
        from laconic.kit.declaring.signature import Signature

        return Signature.of(self.function, case=self.case, provides=self.provides)

    @cached_property
    def writes(self) -> bool:
        """Whether a call may change something."""
        return self.effect is not Effect.READ


@dataclass(frozen=True)
class ToolSpec(Spec):
    """One tool: each fact about it stands here and nowhere else."""

    hints: Hints = ANNOTATIONS[Effect.READ]
    title: str | None = None
    was: tuple[Former, ...] = ()
    listed: bool = False
    since: str | None = None
    until: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ResourceSpec(Spec):
    """One resource, or a family of them when its address has variables."""

    uri: str = ""
    mime: str = "text/plain"

    @property
    def is_template(self) -> bool:
        """Whether the address has variables."""
        return "{" in self.uri


@dataclass(frozen=True)
class PromptSpec(Spec):
    """One prompt: a function from arguments to messages."""


def formers(was: str | Iterable[str] | Mapping[str, Mapping[str, str]] | None) -> tuple[Former, ...]:
    """Read `was=`: a name, several, or a mapping that says which argument became which."""
    if was is None:
        return ()
    if isinstance(was, str):
        return (Former(was),)
    if isinstance(was, Mapping):
        return tuple(Former(name, dict(arguments)) for name, arguments in was.items())
    return tuple(Former(name) for name in was)
