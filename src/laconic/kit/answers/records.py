"""Records: the things of the user's world, and what is declared about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from functools import lru_cache
from typing import Any, ClassVar, Unpack

from pydantic import BaseModel, ConfigDict

from laconic.data import dataclass
from laconic.kit.errors import BadConfiguration
from laconic.kit.plain import alias_of, shown_fields
from laconic.text import case_of, did_you_mean, nearest

__all__ = ["Record", "RecordOptions", "count_of", "field_names", "options_of", "wire_name"]


class _Keywords(ConfigDict, total=False):
    """The keywords in the head of a record's class."""

    key: str
    formats: Mapping[str, tuple[str, ...]]
    default: str
    groups: Mapping[str, tuple[str, ...]]
    headings: tuple[str, ...]
    usual: str
    bodies: tuple[str, ...]
    choices: tuple[str, ...]
    noun: str
    plural: str


@dataclass(frozen=True)
class RecordOptions:
    """What the head of a record's class declares."""

    key: str = "id"  # always shown
    formats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # from the leanest to the fullest
    default: str | None = None  # the default format; None: the second
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a word in `fields` for several
    headings: tuple[str, ...] = ()  # what lines of a list have in common of these is said once above them
    usual: str | None = None  # one of these: lines leave out the value that most of them have
    bodies: tuple[str, ...] = ()  # long texts, written below the other fields
    choices: tuple[str, ...] | None = None  # what `fields` offers; None: every field
    noun: str = ""
    plural: str = ""

    @property
    def default_format(self) -> str | None:
        """The format used when the caller names none."""
        names = list(self.formats)
        return self.default or names[min(1, len(names) - 1)] if names else None

    def named(self) -> set[str]:
        """Return every field that the options name, other than the key."""
        lists = [*self.formats.values(), *self.groups.values(), self.bodies, self.headings]
        single = [self.usual] if self.usual else []
        chosen = [name for name in self.choices or () if name not in self.groups]
        return {*single, *chosen, *(name for names in lists for name in names)}


class Record(BaseModel):
    """A thing from the user's world, with the fields that each format shows.

    What a record declares about itself are keywords of its class:
    `class Plant(Record, noun="plant", formats={"short": ("name",), "full": ("name", "care")})`.
    A record that overrides `write_text` writes its own text, one that overrides `write_row` its own lines.
    """

    model_config = ConfigDict(populate_by_name=True, defer_build=True)  # most are never validated

    __options__: ClassVar[RecordOptions] = RecordOptions()

    def __init_subclass__(cls, **given: Unpack[_Keywords]) -> None:
        """Keep the keywords; those not given are inherited.

        Raises:
            BadConfiguration: there is no such keyword.
        """
        unknown = given.keys() - RecordOptions.__dataclass_fields__.keys()
        if unknown:
            raise BadConfiguration(f"{cls.__name__}: a record has no keyword {min(unknown)}.")
        super().__init_subclass__()
        values: dict[str, Any] = dict(given)
        cls.__options__ = replace(cls.__options__, **values)

    @classmethod
    def __pydantic_init_subclass__(cls, **given: Any) -> None:
        """Refuse a field that would hide a method of Record, and a keyword that names no field."""
        super().__pydantic_init_subclass__()
        for name in cls.model_fields:
            if name in _OURS:
                raise BadConfiguration(f"{cls.__name__}: a record's field cannot be called {name}.")
        shown = shown_fields(cls)
        for name in sorted(cls.__options__.named() - shown.keys()):
            if name in cls.model_fields:
                raise BadConfiguration(f"{cls.__name__}: its class names '{name}', a field that is excluded.")
            hint = did_you_mean(nearest(name, shown), quote="'")
            raise BadConfiguration(
                f"{cls.__name__}: there is no field '{name}', which its class names.{hint}"
            )
        usual, headings = cls.__options__.usual, cls.__options__.headings
        if usual is not None and usual not in headings:
            raise BadConfiguration(f"{cls.__name__}: '{usual}', its usual field, is not in its headings.")
        default, formats = cls.__options__.default, cls.__options__.formats
        if default is not None and default not in formats:
            hint = did_you_mean(nearest(default, formats), quote="'")
            raise BadConfiguration(f"{cls.__name__}: there is no format '{default}', its default.{hint}")

    def write_text(self, format: str | None) -> str | None:
        """Return the record's own text; None: the kit writes it."""
        return None

    def write_row(self, format: str | None, day: Callable[[date], str]) -> Mapping[str, str] | None:
        """Return what its line in a list says of each field, in order; None: it writes no line of its own.

        `day` writes dates, without the year if the first line of the list says it. What several lines have in
        common of the fields in `headings` moves into a heading.
        """
        return None

    @classmethod
    def write_shared(cls, words: Mapping[str, str]) -> str:
        """Return words of `write_row` for a heading of several lines."""
        return " ".join(words.values())

    def list_remarks(self) -> Sequence[str]:
        """Return what its own text adds to its fields; other texts and the data get it as notes."""
        return ()

    @classmethod
    def write_heading(cls, shown: int, total: int | None, *, start: int = 0, is_last: bool = True) -> str:
        """Return the first line of a list: how many are shown, of how many."""
        if total is None:
            return f"Showing {count_of(shown, cls)}; the total is not known."
        if shown == total:
            return f"{count_of(total, cls)}:"
        if start and not is_last:
            return f"Showing {start + 1:,} to {start + shown:,} of {count_of(total, cls)}:"
        return f"Showing {'the last ' if is_last else ''}{shown:,} of {count_of(total, cls)}:"


_OURS = frozenset(name for name in vars(Record) if not name.startswith(("_", "model_")))


def options_of(record: type[Record]) -> RecordOptions:
    """Return what a record's class declares, inherited or its own."""
    return record.__options__


def field_names(record: type[Record], case: str) -> list[str]:
    """Return every value that `fields` accepts."""
    options = options_of(record)
    if options.choices is not None:
        return [wire_name(record, name, case) for name in options.choices]
    return [wire_name(record, name, case) for name in (*shown_fields(record), *options.groups)]


@lru_cache(maxsize=4096)
def wire_name(record: type[Record], name: str, case: str) -> str:
    """Return the name of a field or of a group for callers: its alias, or its name in this case."""
    known = shown_fields(record).get(name)
    alias = alias_of(known) if known is not None else None
    return alias or case_of(name, case)


def nouns(record: type[Record]) -> tuple[str, str]:
    """Return the noun for one and for many of these."""
    options = options_of(record)
    one = options.noun or record.__name__.lower()
    return one, options.plural or f"{one}s"


def count_of(number: int, record: type[Record]) -> str:
    """Return a number with the record's noun."""
    one, many = nouns(record)
    return f"{number:,} {one if number == 1 else many}"
