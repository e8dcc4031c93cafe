"""Ranges: A1 and R1C1 notation, named ranges and grid ranges, as places in a sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.sandbox.google.refusals import GoogleRefusal

__all__ = ["Area", "area_of", "column_name", "column_number", "grid_area", "written"]

Row = dict[str, Any]
_CELL: Final = r"\$?([A-Za-z]{0,3})\$?(\d*)"
_A1: Final = re.compile(rf"{_CELL}(?::{_CELL})?")
_R1C1: Final = re.compile(r"R(\d+)C(\d+)(?::R(\d+)C(\d+))?", re.IGNORECASE)


@dataclass(frozen=True)
class Area:
    """A rectangle of a sheet, from zero, ends excluded; None: up to the sheet's end."""

    sheet: Row
    top: int = 0
    bottom: int | None = None
    left: int = 0
    right: int | None = None

    @property
    def bounds(self) -> tuple[int, int]:
        """How many rows and columns the sheet has."""
        grid = self.sheet["properties"]["gridProperties"]
        return grid["rowCount"], grid["columnCount"]

    @property
    def end_row(self) -> int:
        """The row after the last."""
        return self.bounds[0] if self.bottom is None else self.bottom

    @property
    def end_column(self) -> int:
        """The column after the last."""
        return self.bounds[1] if self.right is None else self.right


def area_of(book: Row, text: str) -> Area:
    """Return the place that a range names.

    Raises:
        GoogleRefusal: it cannot be read.
    """
    title, cells = _split(text)
    for named in book["namedRanges"]:
        if title is None and named["name"] == cells:
            return grid_area(book, named["range"])
    if title is None:
        same = _sheet(book, cells)
        if same is not None and not _is_cells(cells):
            return Area(same)
        sheet = next(one for one in book["sheets"] if not one["properties"].get("hidden"))
    else:
        found = _sheet(book, title)
        if found is None:
            raise unparsed(text)
        sheet = found
    if not cells and title is not None:
        return Area(sheet)
    return _area(sheet, cells, text)


def unparsed(text: str) -> GoogleRefusal:
    """Return the refusal of a range that cannot be read."""
    return GoogleRefusal(400, "badRequest", f"Unable to parse range: {text}")


def _split(text: str) -> tuple[str | None, str]:
    quoted = re.fullmatch(r"'((?:[^']|'')*)'(?:!(.*))?", text)
    if quoted:
        return quoted[1].replace("''", "'"), quoted[2] or ""
    title, sign, cells = text.rpartition("!")
    return (title, cells) if sign else (None, text)


def _sheet(book: Row, title: str) -> Row | None:
    return next((one for one in book["sheets"] if one["properties"]["title"] == title), None)


def _is_cells(text: str) -> bool:
    match = _A1.fullmatch(text)
    return bool(match and any(match.groups())) and (":" in text or bool(match and match[1] and match[2]))


def _area(sheet: Row, cells: str, text: str) -> Area:
    numbered = _R1C1.fullmatch(cells)
    if numbered:
        top, left = int(numbered[1]) - 1, int(numbered[2]) - 1
        return Area(sheet, top, int(numbered[3] or top + 1), left, int(numbered[4] or left + 1))
    match = _A1.fullmatch(cells)
    if match is None or not any(match.groups()) or not _is_cells(cells):
        raise unparsed(text)
    column, row, to_column, to_row = match.groups()
    top, left = int(row or 1) - 1, column_number(column) if column else 0
    if ":" not in cells:
        return Area(sheet, top, top + 1, left, left + 1)
    bottom = int(to_row) if to_row else None
    right = column_number(to_column) + 1 if to_column else None
    return Area(sheet, top, bottom, left, right)


def column_number(letters: str) -> int:
    """Return the number of a column, from zero."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def column_name(number: int) -> str:
    """Return the letters of a column."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def written(area: Area) -> str:
    """Return a place in A1 notation."""
    title = area.sheet["properties"]["title"]
    plain = re.fullmatch(r"[A-Za-z_]\w*", title) and not re.fullmatch(r"[A-Za-z]{1,3}\d+", title)
    name = title if plain else "'" + title.replace("'", "''") + "'"
    first = f"{column_name(area.left)}{area.top + 1}"
    last = f"{column_name(area.end_column - 1)}{area.end_row}"
    return f"{name}!{first}" if first == last else f"{name}!{first}:{last}"


def grid_area(book: Row, grid: Mapping[str, Any]) -> Area:
    """Return the place of a grid range.

    Raises:
        GoogleRefusal: there is no such sheet.
    """
    sheet = sheet_of(book["sheets"], grid.get("sheetId", 0))
    return Area(
        sheet,
        grid.get("startRowIndex", 0),
        grid.get("endRowIndex"),
        grid.get("startColumnIndex", 0),
        grid.get("endColumnIndex"),
    )


def sheet_of(sheets: Sequence[Row], id: int) -> Row:
    """Return a sheet by its id.

    Raises:
        GoogleRefusal: there is none.
    """
    for one in sheets:
        if one["properties"]["sheetId"] == id:
            return one
    raise GoogleRefusal(400, "badRequest", f"No grid with id: {id}")
