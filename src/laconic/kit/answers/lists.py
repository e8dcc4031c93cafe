"""The text of a list: one line per record, with headings for what several lines have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from laconic.data import dataclass
from laconic.kit.answers.days import Days
from laconic.kit.answers.records import Record
from laconic.kit.answers.sharing import ALL, constant, leave_out, usual, with_headings
from laconic.kit.answers.tables import Table
from laconic.kit.answers.views import View, joined

__all__ = ["Lines", "listed"]


Written = TypeVar("Written")


@dataclass(frozen=True)
class Lines:
    """The lines of a list, and what the line above them says about all of them."""

    text: str
    about: str = ""

    def under(self, head: str) -> str:
        """Return the first line, with what it says about all lines."""
        return f"{head.rstrip(':.')}, {self.about}:" if self.about else head


def listed(view: View, records: Sequence[Record]) -> Lines:
    """Return the text of a list: lines, or blocks if records are long."""
    if view.is_long:
        return Lines("\n\n".join(view.one(record) for record in records))
    day = Days.of(view, records)
    rows = _whole(view.own_line(record, day) for record in records)
    if rows is not None:
        return _own(view, records, [dict(row) for row in rows], day)
    texts = _whole(view.own(record) for record in records)
    return Lines("\n".join(Table(view, records, day).lines() if texts is None else texts))


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
    leave_out(rows, said)

    def heading(words: Mapping[str, str]) -> str:
        return f"{ALL} {write(words)}:"

    def line(place: int, skipped: Sequence[str]) -> str:
        return joined(_without(rows[place], skipped) if skipped else rows[place])

    lines = with_headings(rows, names, heading, line)
    return Lines("\n".join(lines), ", ".join(about))


def _without(row: Mapping[str, str], names: Sequence[str]) -> Mapping[str, str]:
    return {name: word for name, word in row.items() if name not in names}
