"""The text of a list: one line per record, with headings for what several lines have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date, datetime
from typing import Any, Final, TypeVar

from laconic.data import dataclass
from laconic.kit.answers.cells import cell, is_date
from laconic.kit.answers.columns import column
from laconic.kit.answers.records import Record
from laconic.kit.answers.sharing import FEWEST, Stretch, constant, runs_of, usual
from laconic.kit.answers.views import View, joined

__all__ = ["ALL", "MONTHS", "Days", "Lines", "listed"]

ALL: Final = "All"  # begins a heading; no row begins like that
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WORD: Final = re.compile(r"[\w-]+", re.ASCII)  # never quoted, also where a line begins

Written = TypeVar("Written")


@dataclass(frozen=True)
class Lines:
    """The lines of a list, and what the line above them says about all of them."""

    text: str
    about: str = ""

    def under(self, head: str) -> str:
        """Return the first line, with what it says about all lines."""
        return f"{head.rstrip(':.')}, {self.about}:" if self.about else head


@dataclass(frozen=True)
class Days:
    """Writes dates: without the year if it is the one that most dates of a list are in."""

    year: int | None = None
    names: tuple[str, ...] = field(default=())  # the fields that have dates

    def __call__(self, moment: date) -> str:
        """Return a day."""
        if moment.year == self.year:
            return f"{MONTHS[moment.month - 1]}{moment.day}"
        return (moment.date() if isinstance(moment, datetime) else moment).isoformat()

    @staticmethod
    def of(view: View, records: Sequence[Record]) -> Days:
        """Return how a list writes its dates."""
        names = [name for name in view.headings if view.days and is_date(view.record, name)]
        if len(records) < FEWEST:
            return Days()
        found = [getattr(record, name) for record in records for name in names]
        years = Counter(one.year for one in found if one is not None)
        return Days(years.most_common(1)[0][0], tuple(names)) if years else Days()


def listed(view: View, records: Sequence[Record]) -> Lines:
    """Return the text of a list: lines, or blocks if records are long."""
    if view.is_long:
        return Lines("\n\n".join(view.one(record) for record in records))
    day = Days.of(view, records)
    rows = _whole(view.own_line(record, day) for record in records)
    if rows is not None:
        return _own(view, records, [dict(row) for row in rows], day)
    texts = _whole(view.own(record) for record in records)
    return Lines("\n".join(_Table(view, records, day).lines() if texts is None else texts))


def _whole(found: Iterable[Written | None]) -> list[Written] | None:
    """Return all of them; None if one is missing."""
    whole: list[Written] = []
    for one in found:
        if one is None:
            return None
        whole.append(one)
    return whole


def _own(view: View, records: Sequence[Record], rows: list[dict[str, str]], day: Days) -> Lines:
    """Return lines that the records write, without what is said above them."""
    names, write = view.headings, view.record.write_shared
    about: list[str] = []
    said: dict[str, str] = {}  # above the lines
    if same := constant(rows, names):
        said = {name: word for name, word in rows[0].items() if name in same}
        about.append(f"all {write(dict(said))}")
    often = view.options.usual
    if often in names and often not in same and (word := usual([row.get(often, "") for row in rows])):
        place = next(place for place, row in enumerate(rows) if row[often] == word)
        about.append(f"{view.word(records[place], often)} unless marked")
        said[often] = word
    if day.year is not None:
        about.append(f"dates in {day.year}")
    _leave_out(rows, said)

    def heading(words: Mapping[str, str]) -> str:
        return f"{ALL} {write(words)}:"

    lines = _with_headings(
        rows, names, heading, lambda place, skipped: joined(_without(rows[place], skipped))
    )
    return Lines("\n".join(lines), ", ".join(about))


def _leave_out(rows: list[dict[str, str]], said: Mapping[str, str]) -> None:
    for name, word in said.items():
        for row in rows:
            if row.get(name) == word:
                row[name] = ""


def _without(row: Mapping[str, str], names: Sequence[str]) -> Mapping[str, str]:
    return {name: word for name, word in row.items() if name not in names} if names else row


def _with_headings(
    rows: Sequence[Mapping[str, str]],
    names: Sequence[str],
    heading: Callable[[Mapping[str, str]], str],
    line: Callable[[int, Sequence[str]], str],
) -> Iterator[str]:
    """Return the lines and their headings; an empty line ends what a heading is about."""
    is_under = False
    for run in runs_of(rows, names) if names else [Stretch(0, len(rows))]:
        first = rows[run.start]
        if run.names:
            yield heading({name: first[name] for name in first if name in run.names})
        elif is_under:
            yield ""
        is_under = bool(run.names)
        yield from (line(place, run.names) for place in range(run.start, run.end))


class _Table:
    """Lines of cells with tabs between them, under a line of column names.

    After a column's name, `=` and a value are what its empty cells are, and a year in parentheses is the
    year of its dates. A heading has values of the lines below it, up to an empty line or another heading.
    """

    def __init__(self, view: View, records: Sequence[Record], day: Days) -> None:
        self._view = view
        self._days = view.days
        self._day = day
        self._said = [view.said(record) for record in records]
        movable, often = view.headings, view.options.usual
        columns = {name: self._column(name) for name in view.columns}
        rows = [{name: columns[name][place] for name in movable} for place in range(len(records))]
        same = constant(rows, movable)
        words = {name: rows[0][name] for name in same}
        if often in movable and often not in same and (word := usual(columns[often])):
            words[often] = word
        ordered = sorted(columns, key=same.__contains__)  # what all rows share comes last
        self._columns = {name: columns[name] for name in ordered}
        _leave_out(rows, words)
        self._movable = rows
        self._day = Days(day.year, tuple(name for name in day.names if name not in same))
        self._usual = words | {name: self._cell(self._said[0], name) for name in same}  # with the year

    def lines(self) -> Iterator[str]:
        """Return the line of names, the headings and the lines of cells."""
        yield "\t".join(self._name(name) for name in self._columns)
        yield from _with_headings(self._movable, self._view.headings, self._heading, self._row)

    def _name(self, name: str) -> str:
        wire = self._view.wire(name)
        if name in self._usual:
            return f"{wire}={self._usual[name]}"
        return f"{wire} ({self._day.year})" if name in self._day.names else wire

    def _column(self, name: str) -> list[str]:
        if name in self._day.names:
            return [self._cell(said, name) for said in self._said]
        return column([said[name] for said in self._said], self._view.shapes[name], days=self._days)

    def _cell(self, said: Mapping[str, Any], name: str, *, starts: bool = False) -> str:
        value = said[name]
        if name in self._day.names and isinstance(value, date):
            return self._day(value)
        return cell(value, self._view.shapes[name], days=self._days, starts=starts)

    def _heading(self, words: Mapping[str, str]) -> str:
        return f"{ALL}: " + "\t".join(f"{self._view.wire(name)} {word}" for name, word in words.items())

    def _row(self, place: int, skipped: Sequence[str]) -> str:
        empty = {name for name, word in self._movable[place].items() if not word}.union(skipped)
        row = [texts[place] for texts in self._columns.values()]
        if empty:
            row = ["" if name in empty else found for name, found in zip(self._columns, row, strict=True)]
        for number, name in enumerate(self._columns):
            if row[number]:  # the row starts with it
                if not _WORD.fullmatch(row[number]):
                    row[number] = self._cell(self._said[place], name, starts=True)
                break
        return "\t".join(row).rstrip("\t") or "\t"
