"""Requests that move cells: rows and columns to another place, cells aside, copies, and split texts."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from laconic.sandbox.google.books.a1 import Area, grid_area, sheet_of
from laconic.sandbox.google.books.book import Row, cell_at, put
from laconic.sandbox.google.books.cells import entered
from laconic.sandbox.google.books.following import Moved, follow, shifted
from laconic.sandbox.google.books.looks import format_at, layers, metadata_of, put_format, span_moved
from laconic.sandbox.google.books.rendering import cell_value
from laconic.sandbox.google.sheets.requests import Request
from laconic.sandbox.google.sheets.requests.structure import refused, span_of

__all__ = ["MOVING"]

Kept = tuple[Any, Row]  # what is in a cell, and its format
_SIGNS: Final = {"COMMA": ",", "SEMICOLON": ";", "PERIOD": ".", "SPACE": " "}


def _move(book: Row, given: Row) -> Row:
    sheet, kind, start, end = span_of(book, given.get("source", {}))
    to = given.get("destinationIndex", 0)
    if start < to < end:
        raise refused("The destination is inside of what is moved.")
    for rows, empty in layers(sheet):
        if kind == "ROWS":
            span_moved(rows, start, end, to, list)
        else:
            for cells in rows:
                span_moved(cells, start, end, to, empty)
    span_moved(metadata_of(sheet, kind), start, end, to, dict)
    follow(book, sheet, kind, Moved(start, end, to))
    return {}


def _taken(area: Area) -> list[list[Kept]]:
    return [
        [
            (cell_at(area.sheet, row, column), deepcopy(format_at(area.sheet, row, column)))
            for column in range(area.left, area.end_column)
        ]
        for row in range(area.top, area.end_row)
    ]


def _laid(sheet: Row, top: int, left: int, block: list[list[Kept]]) -> None:
    for down, row in enumerate(block):
        for across, (cell, format) in enumerate(row):
            put(sheet, top + down, left + across, cell)
            put_format(sheet, top + down, left + across, format)


def _emptied(area: Area) -> None:
    _laid(area.sheet, area.top, area.left, [[("", {}) for _ in row] for row in _taken(area)])


def _aside(book: Row, given: Row) -> tuple[Area, Area]:
    """Return the cells of a request, and those that come after them in the direction of the shift."""
    area = grid_area(book, given.get("range", {}))
    kind = given.get("shiftDimension")
    if kind not in ("ROWS", "COLUMNS"):
        raise refused("A direction is needed: ROWS or COLUMNS.")
    rows = len(area.sheet["rows"])
    columns = max((len(cells) for cells in area.sheet["rows"]), default=0)
    if kind == "ROWS":
        return area, Area(area.sheet, area.top, max(rows, area.end_row), area.left, area.end_column)
    return area, Area(area.sheet, area.top, area.end_row, area.left, max(columns, area.end_column))


def _insert_cells(book: Row, given: Row) -> Row:
    area, rest = _aside(book, given)
    block = _taken(rest)
    is_down = given["shiftDimension"] == "ROWS"
    top = area.end_row if is_down else area.top
    _laid(area.sheet, top, area.left if is_down else area.end_column, block)
    _emptied(area)
    return {}


def _delete_cells(book: Row, given: Row) -> Row:
    area, rest = _aside(book, given)
    if given["shiftDimension"] == "ROWS":
        behind = Area(area.sheet, area.end_row, rest.bottom, area.left, area.end_column)
    else:
        behind = Area(area.sheet, area.top, area.end_row, area.end_column, rest.right)
    block = _taken(behind)
    _emptied(rest)
    _laid(area.sheet, area.top, area.left, block)
    return {}


def _copy(book: Row, given: Row) -> Row:
    source, target = (grid_area(book, given.get(name, {})) for name in ("source", "destination"))
    block = _taken(source)
    is_turned = given.get("pasteOrientation") == "TRANSPOSE"
    if is_turned:
        block = [list(column) for column in zip(*block, strict=True)]
    height, width = len(block), len(block[0])
    for row in range(max(height, (target.end_row - target.top) // height * height)):
        for column in range(max(width, (target.end_column - target.left) // width * width)):
            down, across = row % height, column % width
            origin = (across, down) if is_turned else (down, across)
            place = target.top + row, target.left + column
            at = source.top + origin[0], source.left + origin[1]
            _paste(book, (source.sheet, *at), (target.sheet, *place), block[down][across], given)
    return {}


def _paste(
    book: Row, at: tuple[Row, int, int], to: tuple[Row, int, int], kept: Kept, given: Mapping[str, Any]
) -> None:
    kind = given.get("pasteType", "PASTE_NORMAL")
    if kind not in ("PASTE_NORMAL", "PASTE_VALUES", "PASTE_FORMAT", "PASTE_FORMULA", "PASTE_NO_BORDERS"):
        raise refused(f"The practice Google does not paste with {kind}.")
    cell, format = kept
    if kind == "PASTE_VALUES":
        cell = cell_value(book, *at)
    elif isinstance(cell, dict) and "f" in cell:
        cell = {"f": shifted(cell["f"], to[1] - at[1], to[2] - at[2])}
    if kind != "PASTE_FORMAT":
        put(*to, cell)
    if kind in ("PASTE_NORMAL", "PASTE_FORMAT", "PASTE_NO_BORDERS"):
        without = ("borders",) if kind == "PASTE_NO_BORDERS" else ()
        put_format(*to, {name: one for name, one in format.items() if name not in without})


def _cut(book: Row, given: Row) -> Row:
    source, to = grid_area(book, given.get("source", {})), given.get("destination", {})
    block = _taken(source)
    _emptied(source)
    _laid(
        sheet_of(book["sheets"], to.get("sheetId", 0)), to.get("rowIndex", 0), to.get("columnIndex", 0), block
    )
    return {}


def _split(book: Row, given: Row) -> Row:
    area = grid_area(book, given.get("source", {}))
    if area.end_column - area.left != 1:
        raise refused("The source must span exactly one column.")
    cells = [cell_at(area.sheet, row, area.left) for row in range(area.top, area.end_row)]
    texts = [cell for cell in cells if isinstance(cell, str)]
    kind = given.get("delimiterType", "AUTODETECT")
    sign = given.get("delimiter", "") if kind == "CUSTOM" else _SIGNS.get(kind, "")
    if kind == "AUTODETECT":
        sign = next((one for one in (",", ";", "\t", " ") if any(one in text for text in texts)), ",")
    if not sign:
        raise refused("A delimiter is needed.")
    for row, cell in enumerate(cells, area.top):
        for across, part in enumerate(cell.split(sign) if isinstance(cell, str) else [cell]):
            put(area.sheet, row, area.left + across, entered(part))
    return {}


MOVING: Final[Mapping[str, Request]] = {
    "copyPaste": _copy,
    "cutPaste": _cut,
    "deleteRange": _delete_cells,
    "insertRange": _insert_cells,
    "moveDimension": _move,
    "textToColumns": _split,
}
