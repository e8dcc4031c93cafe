"""Following: references and ranges when rows or columns come, go or move, and when formulas are copied."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from laconic.sandbox.google.books.a1 import column_name, column_number

__all__ = ["Deleted", "Inserted", "Moved", "follow", "shifted"]

Row = dict[str, Any]
_LOST: Final = "#REF!"
_REFERENCE: Final = re.compile(
    r"""("(?:[^"]|"")*")|(?<![\w.$])((?:'(?:[^']|'')*'|\w+)!)?(\$?)([A-Za-z]{1,3})(\$?)(\d+)"""
    r"""(?::(\$?)([A-Za-z]{1,3})(\$?)(\d+))?\b(?!\()"""
)
_ENDS: Final = {"ROWS": ("startRowIndex", "endRowIndex"), "COLUMNS": ("startColumnIndex", "endColumnIndex")}


@dataclass(frozen=True)
class Inserted:
    """So many rows or columns came before one."""

    at: int
    count: int

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where a first and a last one are now."""
        return first + self.count * (first >= self.at), last + self.count * (last >= self.at)


@dataclass(frozen=True)
class Deleted:
    """Rows or columns went, from `start` up to `end`."""

    start: int
    end: int

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where a first and a last one are now, or those inside of them; None if all of them went."""
        gone = self.end - self.start
        first = first - gone if first >= self.end else min(first, self.start)
        last = last - gone if last >= self.end else min(last, self.start - 1)
        return (first, last) if first <= last else None


@dataclass(frozen=True)
class Moved:
    """Rows or columns, from `start` up to `end`, were put before another one."""

    start: int
    end: int
    to: int

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where a first and a last one are now."""
        one, other = self._place(first), self._place(last)
        return min(one, other), max(one, other)

    def _place(self, old: int) -> int:
        count, new = self.end - self.start, self.to - (self.end - self.start) * (self.to > self.start)
        if self.start <= old < self.end:
            return new + old - self.start
        rest = old - count if old >= self.end else old
        return rest + count if rest >= new else rest


Change = Inserted | Deleted | Moved


def follow(book: Row, sheet: Row, kind: str, change: Change) -> None:
    """Let everything that names cells of a sheet name the same ones as before."""
    for one in book["sheets"]:
        for cells in one["rows"]:
            for place, cell in enumerate(cells):
                if isinstance(cell, dict) and "f" in cell:
                    cells[place] = {**cell, "f": _formula(cell["f"], one, sheet, kind, change)}

    def stays(grid: Row) -> bool:
        return grid.get("sheetId", 0) != sheet["properties"]["sheetId"] or _followed(grid, kind, change)

    book["namedRanges"] = [one for one in book["namedRanges"] if stays(one["range"])]
    _keep(sheet, "merges", stays)
    _keep(sheet, "protectedRanges", lambda one: "range" not in one or stays(one["range"]))
    for rule in sheet.get("conditionalFormats", []):
        rule["ranges"] = [one for one in rule["ranges"] if stays(one)]
    _keep(sheet, "conditionalFormats", lambda rule: bool(rule["ranges"]))
    if "basicFilter" in sheet and not stays(sheet["basicFilter"].get("range", {})):
        del sheet["basicFilter"]


def _keep(sheet: Row, name: str, stays: Callable[[Row], bool]) -> None:
    if name in sheet:
        sheet[name] = [one for one in sheet[name] if stays(one)]


def _followed(grid: Row, kind: str, change: Change) -> bool:
    """Change the ends of a range; False if it has no cells any more."""
    start, end = _ENDS[kind]
    far = 10**9  # of a range without an end
    found = change.span(grid.get(start, 0), grid.get(end, far) - 1)
    if found is None:
        return False
    if start in grid:
        grid[start] = found[0]
    if end in grid:
        grid[end] = found[1] + 1
    return True


def _formula(formula: str, own: Row, sheet: Row, kind: str, change: Change) -> str:
    def moved(found: re.Match[str]) -> str:
        if found[1]:  # a text
            return found[0]
        title = found[2][:-1] if found[2] else own["properties"]["title"]
        if title.startswith("'") and found[2]:
            title = title[1:-1].replace("''", "'")
        if title != sheet["properties"]["title"]:
            return found[0]
        columns = [column_number(found[4]), column_number(found[8] or found[4])]
        rows = [int(found[6]) - 1, int(found[10] or found[6]) - 1]
        changed = rows if kind == "ROWS" else columns
        span = change.span(min(changed), max(changed))
        if span is None:
            return _LOST
        changed[:] = span if changed[0] <= changed[1] else reversed(span)
        first = f"{found[3]}{column_name(columns[0])}{found[5]}{rows[0] + 1}"
        last = f":{found[7]}{column_name(columns[1])}{found[9]}{rows[1] + 1}" if found[8] else ""
        return f"{found[2] or ''}{first}{last}"

    return _REFERENCE.sub(moved, formula)


def shifted(formula: str, down: int, across: int) -> str:
    """Return a formula whose references are as far from its new cell as they were from its old one."""

    def cell(column_sign: str, column: str, row_sign: str, row: str) -> str:
        letters = column if column_sign else column_name(column_number(column) + across)
        return f"{column_sign}{letters}{row_sign}{row if row_sign else int(row) + down}"

    def moved(found: re.Match[str]) -> str:
        if found[1]:
            return found[0]
        last = f":{cell(*found.group(7, 8, 9, 10))}" if found[8] else ""
        return f"{found[2] or ''}{cell(*found.group(3, 4, 5, 6))}{last}"

    return _REFERENCE.sub(moved, formula)
