"""Views: which fields of a record are shown, and the text of records and lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from laconic.kit.errors import BadConfiguration
from laconic.text import case_of

__all__ = ["Record", "View", "cell", "count_of"]

_JSON = (str, int, float, bool, type(None))  # exactly these types: an Enum may be a str as well


class Record(BaseModel):
    """A thing from the user's world, with the fields that each format shows.

    `formats` are ordered from the leanest to the fullest; the second is the default unless `default` names
    another. A record that overrides `text` writes its own text.
    """

    model_config = ConfigDict(populate_by_name=True)

    key: ClassVar[str] = "id"  # always shown
    formats: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    default: ClassVar[str | None] = None
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # a word in `fields` for several fields
    group_by: ClassVar[str | None] = None  # lines of a list are grouped by this field
    body_field: ClassVar[str | None] = None  # a long text, written below the other fields
    choices: ClassVar[tuple[str, ...] | None] = None  # what `fields` offers; None: every field
    noun: ClassVar[str] = ""
    plural: ClassVar[str] = ""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse a field that would hide an attribute of Record."""
        super().__pydantic_init_subclass__(**kwargs)
        for name in cls.model_fields:
            if name in _OURS:
                raise BadConfiguration(f"{cls.__name__}: a record's field cannot be called {name}.")

    def text(self, format: str | None) -> str | None:
        """Return the record's own text; None: the kit writes it."""
        return None

    def remarks(self) -> Sequence[str]:
        """Return what its own text adds to its fields, for callers who see only the fields."""
        return ()

    @classmethod
    def default_format(cls) -> str | None:
        """Return the format used when the caller names none."""
        names = list(cls.formats)
        if not names:
            return None
        return cls.default or names[min(1, len(names) - 1)]

    @classmethod
    def field_names(cls, case: str) -> list[str]:
        """Return every value that `fields` accepts."""
        if cls.choices is not None:
            return [case_of(name, case) for name in cls.choices]
        return [*(case_of(name, case) for name in cls.model_fields), *cls.groups]

    @classmethod
    def heading(cls, shown: int, total: int | None, *, start: int = 0, is_last: bool = True) -> str:
        """Return the first line of a list: how many are shown, of how many."""
        if total is None:
            return f"Showing {count_of(shown, cls)}; the total is not known."
        if shown == total:
            return f"{count_of(total, cls)}:"
        if start and not is_last:
            return f"Showing {start + 1:,} to {start + shown:,} of {count_of(total, cls)}:"
        return f"Showing {'the last ' if is_last else ''}{shown:,} of {count_of(total, cls)}:"

    @classmethod
    def nouns(cls) -> tuple[str, str]:
        """Return the noun for one and for many of these."""
        one = cls.noun or cls.__name__.lower()
        return one, cls.plural or f"{one}s"


_OURS = frozenset(name for name in vars(Record) if not name.startswith(("_", "model_")))


class View:
    """The columns of an answer, and the text of its records."""

    def __init__(
        self, record: type[Record], *, form: str | None, fields: Sequence[str] | None, case: str
    ) -> None:
        self.record = record
        self.form = form
        self.fields = fields
        self._case = case
        self.columns = self._columns()

    def _columns(self) -> list[str]:
        """Return the Python names of the fields to show, the key first."""
        record = self.record
        if self.fields is None:
            names = record.formats.get(self.form or "", tuple(record.model_fields))
        else:
            wire = {case_of(name, self._case): name for name in record.model_fields}
            names = tuple(
                name for word in self.fields for name in (record.groups.get(word) or (wire.get(word, word),))
            )
        has_key = record.key in record.model_fields
        return list(dict.fromkeys([record.key, *names] if has_key else names))

    def wire(self, name: str) -> str:
        """Return the name of a field on the wire."""
        return case_of(name, self._case)

    def values(self, record: Record, *, days: bool = False) -> dict[str, Any]:
        """Return the chosen fields as JSON; with `days`, times as dates."""
        return {self.wire(name): jsonable(getattr(record, name, None), days=days) for name in self.columns}

    def is_long(self) -> bool:
        """True if a record needs more than a line."""
        return self.record.body_field in self.columns

    def one(self, record: Record) -> str:
        """Return the text of one record: one line per field, then the body."""
        own = record.text(self.form) if self.fields is None else None
        if own is not None:
            return own
        body = self.record.body_field
        lines = [
            f"{self.wire(name)}: {text}"
            for name in self.columns
            if name != body and (text := cell(getattr(record, name, None)))
        ]
        if body in self.columns:
            lines += ["", str(getattr(record, body) or "")]
        return "\n".join(lines).strip("\n")

    def many(self, records: Sequence[Record]) -> str:
        """Return the text of a list: column names and one line per record, or blocks if records are long."""
        owns = [record.text(self.form) if self.fields is None else None for record in records]
        if records and all(own is not None for own in owns):
            return ("\n\n" if self.is_long() else "\n").join(own for own in owns if own is not None)
        if self.is_long():
            return "\n\n---\n".join(self.one(record) for record in records)
        return "\n".join(
            self._grouped(records) if self.record.group_by in self.columns else self._rows(records)
        )

    def _rows(self, records: Iterable[Record], without: str | None = None) -> list[str]:
        columns, days = [name for name in self.columns if name != without], self.fields is None
        rows = [
            "\t".join([cell(getattr(record, name, None), days=days) for name in columns])
            for record in records
        ]
        head = "\t".join(self.wire(name) for name in columns)
        return [head, *(row.rstrip("\t") for row in rows)]

    def _grouped(self, records: Iterable[Record]) -> list[str]:
        groups: dict[str, list[Record]] = {}
        for record in records:
            groups.setdefault(cell(getattr(record, self.record.group_by or "", None)) or "none", []).append(
                record
            )
        lines: list[str] = []
        for name, members in groups.items():
            head, *rows = self._rows(members, without=self.record.group_by)
            lines += [*([] if lines else [head]), f"{name}:", *rows]
        return lines


def jsonable(value: Any, *, days: bool = False) -> Any:
    """Return a field's value as JSON."""
    if type(value) in _JSON:
        return value
    if isinstance(value, datetime):
        if days:
            return value.date().isoformat()
        exact = "milliseconds" if value.microsecond else "seconds"
        return value.isoformat(timespec=exact).replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, BaseModel):
        return {name: jsonable(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, Mapping):
        return {str(name): jsonable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(inner) for inner in value]
    return value


def cell(value: Any, *, days: bool = False) -> str:
    """Return a value on one line: None is empty, lists have commas, line breaks are spaces."""
    if type(value) is str:
        return " ".join(value.split())
    if not isinstance(value, list):
        value = jsonable(value, days=days)
    if isinstance(value, list):
        return ",".join([cell(inner) for inner in value])
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{name}={cell(inner)}" for name, inner in value.items())
    return " ".join(str(value).split())


def count_of(number: int, record: type[Record]) -> str:
    """Return a number with the record's noun."""
    one, many = record.nouns()
    return f"{number:,} {one if number == 1 else many}"
