"""Ranges: A1 and R1C1 notation, read into rows and columns, and written again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

_CORNER: Final = r"\$?([A-Za-z]{1,3})?\$?(\d{1,8})?"
_A1: Final = re.compile(rf"{_CORNER}(?::{_CORNER})?")
_R1C1: Final = re.compile(r"R(\d+)C(\d+)(?::R(\d+)C(\d+))?")
_QUOTED: Final = re.compile(r"'((?:[^']|'')+)'(?:!(.+))?")
_GRID: Final = ("sheetId", "startRowIndex", "endRowIndex", "startColumnIndex", "endColumnIndex")
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class SheetRange:
    """Cells of a sheet: rows and columns from zero, ends excluded; None: up to the sheet's end."""

    title: str | None  # None: the first sheet that is not hidden
    top: int = 0
    bottom: int | None = None
    left: int = 0
    right: int | None = None

    @property
    def is_bounded(self) -> bool:
        """True if its last row is known."""
        return self.bottom is not None

    def rows(self, top: int, bottom: int) -> SheetRange:
        """Return the same columns of other rows."""
        return replace(self, top=top, bottom=bottom)

    def written(self) -> str:
        """Return it in A1 notation."""
        before = f"{quoted_title(self.title)}!" if self.title is not None else ""
        if self.bottom is None and self.right is None and not self.top and not self.left:
            return quoted_title(self.title) if self.title is not None else "A:ZZZ"
        last = column_letters(self.right - 1) if self.right is not None else ""
        if self.right is None and self.bottom is not None:
            return (
                f"{before}{self.top + 1}:{self.bottom}"
                if not self.left
                else f"{before}{column_letters(self.left)}{self.top + 1}:{self.bottom}"
            )
        end = f"{last}{self.bottom if self.bottom is not None else ''}"
        return f"{before}{column_letters(self.left)}{self.top + 1}:{end}"

    @property
    def columns(self) -> str:
        """Its sheet and columns, for a heading."""
        end = column_letters(self.right - 1) if self.right is not None else ""
        return f"{self.title or 'first sheet'}!{column_letters(self.left)}:{end}"


def parsed_range(text: str) -> SheetRange | None:
    """Read a range; None if its rows cannot be told from its text: a sheet, a named range, or nonsense."""
    quoted = _QUOTED.fullmatch(text)
    if quoted:
        title: str | None = quoted[1].replace("''", "'")
        cells = quoted[2] or ""
    else:
        before, sign, cells = text.rpartition("!")
        title = before if sign else None
    if not cells:
        return SheetRange(title) if title is not None else None
    numbered = _R1C1.fullmatch(cells)
    if numbered:
        top, left = int(numbered[1]) - 1, int(numbered[2]) - 1
        return SheetRange(title, top, int(numbered[3] or top + 1), left, int(numbered[4] or left + 1))
    return _cells(title, cells)


def is_like_a_title(text: str) -> bool:
    """True for what may be a cell of the first sheet or the title of a sheet, such as Q1."""
    found = parsed_range(text)
    return found is not None and found.title is None and ":" not in text


def _cells(title: str | None, cells: str) -> SheetRange | None:
    match = _A1.fullmatch(cells)
    if match is None:
        return None
    column, row, to_column, to_row = match.groups()
    if "0" in (row, to_row):
        return None
    if ":" not in cells:
        if not (column and row):
            return None
        top, left = int(row) - 1, column_number(column)
        return SheetRange(title, top, top + 1, left, left + 1)
    if not (column or row) or not (to_column or to_row):
        return None
    bottom = int(to_row) if to_row else None
    right = column_number(to_column) + 1 if to_column else None
    top, left = int(row or 1) - 1, column_number(column) if column else 0
    if bottom is not None and bottom <= top:  # the other corners
        top, bottom = bottom - 1, top + 1
    if right is not None and right <= left:
        left, right = right - 1, left + 1
    return SheetRange(title, top, bottom, left, right)


def range_text(given: Any) -> Any:
    """Return a range of indices, which may come as an object, as text."""
    return json.dumps(given) if isinstance(given, Mapping) else given  # noqa: TID251  # not an answer


def grid_range(text: str) -> dict[str, int] | None:
    """Return a range of indices, such as {"sheetId": 0, "endRowIndex": 5}; None if it is none."""
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    fits = set(found) <= set(_GRID) and all(type(value) is int and value >= 0 for value in found.values())
    return found if fits else None


def column_number(letters: str) -> int:
    """Return the number of a column, from zero."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def column_letters(number: int) -> str:
    """Return the letters of a column."""
    letters, number = "", number + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def quoted_title(title: str) -> str:
    """Return a sheet's title as a range names it; one that looks like cells is in quotes."""
    is_plain = _PLAIN.fullmatch(title) and _A1.fullmatch(title) is None and _R1C1.fullmatch(title) is None
    return title if is_plain else "'" + title.replace("'", "''") + "'"
