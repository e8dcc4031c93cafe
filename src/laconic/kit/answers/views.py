"""Views: which fields of a record are shown, and the text of records and lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import Any

from pydantic import BaseModel

from laconic.kit.answers.records import Record, options_of
from laconic.text import case_of

__all__ = ["View", "cell", "jsonable"]

_JSON = (str, int, float, bool, type(None))  # exactly these types: an Enum may be a str as well


class View:
    """The columns of an answer, and the text of its records."""

    def __init__(
        self, record: type[Record], *, form: str | None, fields: Sequence[str] | None, case: str
    ) -> None:
        self.record = record
        self.options = options_of(record)
        self.form = form
        self.fields = fields
        self._case = case
        self.columns = self._columns()

    def _columns(self) -> list[str]:
        """Return the Python names of the fields to show, the key first."""
        record, options = self.record, self.options
        if self.fields is None:
            names = options.formats.get(self.form or "", tuple(record.model_fields))
        else:
            wire = {case_of(name, self._case): name for name in record.model_fields}
            names = tuple(
                name for word in self.fields for name in (options.groups.get(word) or (wire.get(word, word),))
            )
        has_key = options.key in record.model_fields
        return list(dict.fromkeys([options.key, *names] if has_key else names))

    def wire(self, name: str) -> str:
        """Return the name of a field on the wire."""
        return case_of(name, self._case)

    def values(self, record: Record, *, days: bool = False) -> dict[str, Any]:
        """Return the chosen fields as JSON; with `days`, times as dates."""
        return {self.wire(name): jsonable(getattr(record, name, None), days=days) for name in self.columns}

    def is_long(self) -> bool:
        """True if a record needs more than a line."""
        return any(name in self.columns for name in self.options.bodies)

    def one(self, record: Record) -> str:
        """Return the text of one record: one line per field, then the body."""
        own = record.write_text(self.form) if self.fields is None else None
        if own is not None:
            return own
        bodies = [name for name in self.options.bodies if name in self.columns]
        lines = [
            f"{self.wire(name)}: {text}"
            for name in self.columns
            if name not in bodies and (text := cell(getattr(record, name, None)))
        ]
        for body in bodies:
            lines += ["", str(getattr(record, body) or "")]
        return "\n".join(lines).strip("\n")

    def many(self, records: Sequence[Record]) -> str:
        """Return the text of a list: column names and one line per record, or blocks if records are long."""
        owns = [record.write_text(self.form) if self.fields is None else None for record in records]
        if records and all(own is not None for own in owns):
            return ("\n\n" if self.is_long() else "\n").join(own for own in owns if own is not None)
        if self.is_long():
            return "\n\n---\n".join(self.one(record) for record in records)
        return "\n".join(
            self._grouped(records) if self.options.group_by in self.columns else self._rows(records)
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
            groups.setdefault(cell(getattr(record, self.options.group_by or "", None)) or "none", []).append(
                record
            )
        lines: list[str] = []
        for name, members in groups.items():
            head, *rows = self._rows(members, without=self.options.group_by)
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
