"""Views: which fields of a record are shown, and the text of records and lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from laconic.kit.answers.cells import cell, in_json, shapes_of
from laconic.kit.answers.records import Record, options_of, wire_name
from laconic.kit.plain import alias_of, dumped, jsonable, shown_fields
from laconic.text import tagged

__all__ = ["NONE", "View"]

NONE = "none"  # the name of the group of records without a value


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
        self.shapes = shapes_of(record)
        self._aliases = {name: alias_of(field) or name for name, field in shown_fields(record).items()}

    def _columns(self) -> list[str]:
        """Return the Python names of the fields to show, the key first."""
        shown, options = shown_fields(self.record), self.options
        if self.fields is None:
            names = options.formats.get(self.form or "", tuple(shown))
        else:
            known = {name: (name,) for name in shown} | dict(options.groups)
            known |= {self.wire(name): names for name, names in known.items()}
            names = tuple(name for word in self.fields for name in known[word])
        has_key = options.key in shown
        return list(dict.fromkeys([options.key, *names] if has_key else names))

    def wire(self, name: str) -> str:
        """Return the name of a field on the wire."""
        return wire_name(self.record, name, self._case)

    def values(self, record: Record, *, days: bool = False) -> dict[str, Any]:
        """Return the chosen fields as JSON; with `days`, times as dates."""
        said = self._said(record)
        return {self.wire(name): jsonable(value, days=days) for name, value in said.items()}

    def _said(self, record: Record) -> dict[str, Any]:
        """Return the chosen fields as the record serialises them."""
        found = dumped(record)
        return {name: found.get(self._aliases[name]) for name in self.columns}

    @property
    def is_long(self) -> bool:
        """True if a record needs more than a line."""
        return any(name in self.columns for name in self.options.bodies)

    @property
    def days(self) -> bool:
        """True if a list shows days for times: not in its fullest format, nor where fields were chosen."""
        fuller = list(self.options.formats)[1:]
        return self.fields is None and not self.is_long and self.form not in fuller[-1:]

    @property
    def group(self) -> str | None:
        """The field by which the lines of a list are grouped."""
        return self.options.group_by if self.options.group_by in self.columns else None

    def row_columns(self) -> list[str]:
        """Return the fields in each line of a list: all but the one it is grouped by."""
        return [name for name in self.columns if name != self.group]

    def one(self, record: Record) -> str:
        """Return the text of one record: one line per field, then its texts of several lines between tags."""
        own = self._own(record)
        return self._block(record) if own is None else own

    def _own(self, record: Record) -> str | None:
        return record.write_text(self.form) if self.fields is None else None

    def written_by_kit(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return the records that do not write their own text here: their remarks are not in it."""
        plain = [record for record in records if self._own(record) is None]
        return plain if self.is_long or not plain else records

    def _block(self, record: Record) -> str:
        lines, texts = [], []
        for name, value in self._said(record).items():
            wire = self.wire(name)
            if isinstance(value, str) and self._is_apart(name, value):
                texts.append(tagged(wire, value))
            elif value is not None:
                lines.append(f"{wire}: {cell(value, self.shapes[name])}")
        return "\n".join([*lines, *texts]) or "{}"

    def texts_apart(self, records: Iterable[Record]) -> list[str]:
        """Return the texts of records that stand on lines of their own."""
        said = [pair for record in records for pair in self._said(record).items()]
        return [value for name, value in said if isinstance(value, str) and self._is_apart(name, value)]

    def _is_apart(self, name: str, text: str) -> bool:
        return "\n" in text or "\r" in text or (text != "" and name in self.options.bodies)

    def many(self, records: Sequence[Record]) -> str:
        """Return the text of a list: column names and one line per record, or blocks if records are long."""
        owns = [self._own(record) for record in records]
        if all(own is not None for own in owns):
            return ("\n\n" if self.is_long else "\n").join(own for own in owns if own is not None)
        if self.is_long:
            return "\n\n".join(self.one(record) for record in records)
        head = "\t".join(self.wire(name) for name in self.row_columns())
        return "\n".join([head, *(self._grouped(records) if self.group else self._rows(records))])

    def _rows(self, records: Iterable[Record]) -> list[str]:
        columns = self.row_columns()
        return [self._row(record, columns).rstrip("\t") or "\t" for record in records]

    def _row(self, record: Record, columns: Sequence[str]) -> str:
        cells: list[str] = []
        days, starts = self.days, True  # a row starts with its first cell that is not empty
        said = self._said(record)
        for name in columns:
            found = cell(said[name], self.shapes[name], days=days, starts=starts)
            starts = starts and not found
            cells.append(found)
        return "\t".join(cells)

    def _grouped(self, records: Iterable[Record]) -> list[str]:
        groups: dict[str, list[Record]] = {}
        for record in records:
            groups.setdefault(self._group_name(record), []).append(record)
        return [line for name, members in groups.items() for line in [f"{name}:", *self._rows(members)]]

    def _group_name(self, record: Record) -> str:
        """Return the field that groups and its value: a value alone could pass for a heading of the kit."""
        name = self.group or ""
        text = cell(self._said(record)[name], self.shapes[name], days=self.days)
        return f"{self.wire(name)} {in_json(text) if text == NONE else text or NONE}"
