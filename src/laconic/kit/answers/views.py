"""Views: which fields of a record are shown, and the text of one record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, Final

from laconic.kit.answers.cells import cell, in_json, shapes_of
from laconic.kit.answers.records import Record, options_of, wire_name
from laconic.kit.plain import alias_of, as_they_are, dumped, jsonable, shown_fields
from laconic.text import tagged

__all__ = ["View", "joined"]

_SIMPLE: Final = re.compile(r"\w[\w-]*")


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
        known = shown_fields(record)
        self._aliases = [alias_of(known[name]) or name for name in self.columns]
        is_direct = len(self.columns) > 1 and as_they_are(record).issuperset(self.columns)
        self._direct = itemgetter(*self.columns) if is_direct else None

    @staticmethod
    @lru_cache(maxsize=256)
    def known(record: type[Record], form: str | None, case: str) -> View:
        """Return the view of a format: the same one each time."""
        return View(record, form=form, fields=None, case=case)

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
        said = self.said(record)
        return {self.wire(name): jsonable(value, days=days) for name, value in said.items()}

    def said(self, record: Record) -> dict[str, Any]:
        """Return the chosen fields as the record serialises them."""
        (row,) = self.rows([record])
        return dict(zip(self.columns, row, strict=True))

    def rows(self, records: Sequence[Record]) -> list[Sequence[Any]]:
        """Return the values of `said` for each record."""
        if self._direct is not None and {self.record}.issuperset(map(type, records)):
            with suppress(KeyError):  # made without a check, and a field is missing
                return list(map(self._direct, map(vars, records)))
        return [[found.get(name) for name in self._aliases] for found in map(dumped, records)]

    @cached_property
    def is_long(self) -> bool:
        """True if a record needs more than a line."""
        return any(name in self.columns for name in self.options.bodies)

    @cached_property
    def days(self) -> bool:
        """True if a list shows days for times: not in its fullest format, nor where fields were chosen."""
        fuller = list(self.options.formats)[1:]
        return self.fields is None and not self.is_long and self.form not in fuller[-1:]

    @cached_property
    def headings(self) -> list[str]:
        """The fields that may move into a heading above several lines."""
        return [name for name in self.options.headings if name in self.columns and not self.is_long]

    def one(self, record: Record) -> str:
        """Return the text of one record: one line per field, then its texts of several lines between tags."""
        own = self.own(record)
        return self._block(record) if own is None else own

    def own(self, record: Record) -> str | None:
        """Return the text that the record itself writes; None if the kit writes it."""
        if self.fields is not None:
            return None
        words = record.write_row(self.form, date.isoformat)
        return record.write_text(self.form) if words is None else joined(words)

    def written_by_kit(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return the records that do not write their own text here: their remarks are not in it."""
        plain = [record for record in records if self.own(record) is None]
        return plain if self.is_long or not plain else records

    def _block(self, record: Record) -> str:
        lines, texts = [], []
        for name, value in self.said(record).items():
            wire = self.wire(name)
            if isinstance(value, str) and self._is_apart(name, value):
                texts.append(tagged(wire, value))
            elif value is not None:
                lines.append(f"{wire}: {cell(value, self.shapes[name])}")
        return "\n".join([*lines, *texts]) or "{}"

    def texts_apart(self, records: Iterable[Record]) -> list[str]:
        """Return the texts of records that stand on lines of their own."""
        said = [pair for record in records for pair in self.said(record).items()]
        return [value for name, value in said if isinstance(value, str) and self._is_apart(name, value)]

    def _is_apart(self, name: str, text: str) -> bool:
        return "\n" in text or "\r" in text or (text != "" and name in self.options.bodies)

    def word(self, record: Record, name: str) -> str:
        """Return the value of a field within a line of the kit: quoted unless it is a simple word."""
        text = cell(self.said(record)[name], self.shapes[name])
        return text if _SIMPLE.fullmatch(text) else in_json(text)

    def own_line(self, record: Record, day: Callable[[date], str]) -> Mapping[str, str] | None:
        """Return the words of a line that the record writes; None if the kit writes it."""
        return record.write_row(self.form, day) if self.fields is None else None


def joined(words: Mapping[str, str]) -> str:
    """Return the words of a line with spaces between them; lines below it follow as they are."""
    line = " ".join(filter(None, words.values()))
    if "\n" not in line:
        return line
    found = filter(None, words.values())
    return "".join([word if word.startswith("\n") else f" {word}" for word in found])[1:]
