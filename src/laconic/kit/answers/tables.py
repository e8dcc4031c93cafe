"""Tables: the lines of a list that the kit writes, cell by cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from laconic.kit.answers.cells import cell
from laconic.kit.answers.columns import column
from laconic.kit.answers.days import Days
from laconic.kit.answers.records import Record
from laconic.kit.answers.sharing import ALL, constant, leave_out, usual, with_headings
from laconic.kit.answers.views import View
from laconic.lazily import regex

__all__ = ["Table"]

_WORD: Final = regex(r"[\w-]+", re.ASCII)  # never quoted, also where a line begins
_WORDS: Final = regex(r"[\w-]+(?:\n[\w-]+)*", re.ASCII)  # such words, one on each line


class Table:
    """Lines of cells with tabs between them, under a line of column names.

    After a column's name, `=` and a value are what its empty cells are, and a year in parentheses is the
    year of its dates. A heading has values of the lines below it, up to an empty line or another heading.
    """

    def __init__(self, view: View, records: Sequence[Record], day: Days) -> None:
        self._view = view
        self._days = view.days
        self._day = day
        values = zip(*view.rows(records), strict=True)
        self._values = dict(zip(view.columns, values, strict=True))
        columns = {name: self._column(name) for name in view.columns}
        self._movable: list[dict[str, str]] = [{}] * len(records)
        self._usual: dict[str, str] = {}
        self._names = list(columns)
        if view.headings:
            self._share(columns, view.headings)
        cells = zip(*[columns[name] for name in self._names], strict=True)
        self._cells: list[tuple[str, ...]] = list(cells) or [("",)] * len(records)

    def _share(self, columns: Mapping[str, Sequence[str]], names: Sequence[str]) -> None:
        """Say once what all rows share, and what most of them have."""
        often = self._view.options.usual
        rows = [{name: columns[name][place] for name in names} for place in range(len(self._movable))]
        same = constant(rows, names)
        words = {name: rows[0][name] for name in same}
        if often is not None and often in names and often not in same and (word := usual(columns[often])):
            words[often] = word
        leave_out(rows, words)
        self._movable = rows
        self._names.sort(key=same.__contains__)  # what all rows share comes last
        self._day = Days(self._day.year, tuple(name for name in self._day.names if name not in same))
        self._usual = words | {name: self._cell(0, name) for name in same}  # with the year

    def lines(self) -> list[str]:
        """Return the line of names, the headings and the lines of cells."""
        names = "\t".join([self._name(name) for name in self._names])
        movable = self._view.headings
        if not movable and _WORDS.fullmatch("\n".join([row[0] for row in self._cells])):
            return [names, *[line.rstrip("\t") for line in map("\t".join, self._cells)]]
        return [names, *with_headings(self._movable, movable, self._heading, self._row)]

    def _name(self, name: str) -> str:
        wire = self._view.wire(name)
        if name in self._usual:
            return f"{wire}={self._usual[name]}"
        return f"{wire} ({self._day.year})" if name in self._day.names else wire

    def _column(self, name: str) -> list[str]:
        if name in self._day.names:
            return [self._cell(place, name) for place in range(len(self._values[name]))]
        return column(self._values[name], self._view.shapes[name], days=self._days)

    def _cell(self, place: int, name: str, *, starts: bool = False) -> str:
        value = self._values[name][place]
        if name in self._day.names and isinstance(value, date):
            return self._day(value)
        return cell(value, self._view.shapes[name], days=self._days, starts=starts)

    def _heading(self, words: Mapping[str, str]) -> str:
        return f"{ALL}: " + "\t".join(f"{self._view.wire(name)} {word}" for name, word in words.items())

    def _row(self, place: int, skipped: Sequence[str]) -> str:
        row: Sequence[str] = self._cells[place]
        if movable := self._movable[place]:
            empty = {name for name, word in movable.items() if not word}.union(skipped)
            if empty:
                row = ["" if name in empty else found for name, found in zip(self._names, row, strict=True)]
        if not _WORD.fullmatch(row[0]):  # most begin with a word
            row = self._started(place, row)
        return "\t".join(row).rstrip("\t") or "\t"

    def _started(self, place: int, row: Sequence[str]) -> Sequence[str]:
        """Return a row whose first text does not look like a line of the kit."""
        number = next((number for number, text in enumerate(row) if text), None)
        if number is None:
            return row
        return [*row[:number], self._cell(place, self._names[number], starts=True), *row[number + 1 :]]
