"""Spreadsheets: their sheets, with rows of cells that are as long as what is in them."""

from __future__ import annotations

import csv
from copy import deepcopy
from io import StringIO
from typing import Any

from laconic.sandbox.google.books.a1 import Area
from laconic.sandbox.google.books.cells import entered
from laconic.sandbox.google.refusals import GoogleRefusal, wrong_kind
from laconic.sandbox.state import State

__all__ = ["book_of", "cell_at", "check_size", "copy_book", "new_book", "new_sheet", "put", "store"]

Row = dict[str, Any]
_CELLS = 10_000_000  # of a spreadsheet


def store(state: State) -> dict[Any, Row]:
    """Return all spreadsheets by the id of their file."""
    return state.rows("books")


def new_book(state: State, id: str, title: str, text: str = "") -> Row:
    """Add a spreadsheet with one sheet, perhaps from delimited text."""
    properties = {"title": title, "locale": "en_US", "timeZone": "Etc/GMT", "autoRecalc": "ON_CHANGE"}
    book: Row = {"id": id, "properties": properties, "sheets": [], "namedRanges": []}
    sheet = new_sheet(book, {"title": "Sheet1", "sheetId": 0})
    for row in csv.reader(StringIO(text)):
        sheet["rows"].append([entered(cell) for cell in row])
    store(state)[id] = book
    return book


def new_sheet(book: Row, given: Row, index: int | None = None) -> Row:
    """Add a sheet.

    Raises:
        GoogleRefusal: another one has that title or id.
    """
    taken = {one["properties"]["title"] for one in book["sheets"]}
    title = given.get("title") or f"Sheet{len(book['sheets']) + 1}"
    if title in taken:
        text = f'A sheet with the name "{title}" already exists. Please enter another name.'
        raise GoogleRefusal(400, "badRequest", f"Invalid requests[0].addSheet: {text}")
    if len(title) > 100:
        raise GoogleRefusal(
            400, "badRequest", "Invalid requests[0].addSheet: Sheet name cannot exceed 100 characters."
        )
    ids = {one["properties"]["sheetId"] for one in book["sheets"]}
    id = given.get("sheetId", max(ids, default=-1) + 101)
    if id in ids:
        raise GoogleRefusal(400, "badRequest", f"Sheet with id {id} already exists.")
    grid = {"rowCount": 1000, "columnCount": 26, **given.get("gridProperties", {})}
    properties = {"sheetType": "GRID", **given, "sheetId": id, "title": title, "gridProperties": grid}
    sheet: Row = {"properties": properties, "rows": []}
    book["sheets"].insert(len(book["sheets"]) if index is None else index, sheet)
    number(book)
    return sheet


def number(book: Row) -> None:
    """Number the sheets in their order."""
    for place, one in enumerate(book["sheets"]):
        one["properties"]["index"] = place


def copy_book(state: State, source: str, id: str, title: str) -> None:
    """Copy a spreadsheet."""
    book = deepcopy(store(state)[source])
    store(state)[id] = {**book, "id": id, "properties": {**book["properties"], "title": title}}


def book_of(state: State, id: str) -> Row:
    """Return a spreadsheet.

    Raises:
        GoogleRefusal: the file is none.
    """
    found = store(state).get(id)
    if found is None:
        raise wrong_kind()
    return found


def cell_at(sheet: Row, row: int, column: int) -> Any:
    """Return what a cell has; an empty text if nothing."""
    rows = sheet["rows"]
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else ""


def put(sheet: Row, row: int, column: int, cell: Any) -> None:
    """Set a cell."""
    rows = sheet["rows"]
    while len(rows) <= row:
        rows.append([])
    cells = rows[row]
    cells += [""] * (column + 1 - len(cells))
    cells[column] = cell


def check_size(book: Row) -> None:
    """Refuse a spreadsheet with too many cells.

    Raises:
        GoogleRefusal: it has more than ten million.
    """
    grids = [sheet["properties"]["gridProperties"] for sheet in book["sheets"]]
    if sum(grid["rowCount"] * grid["columnCount"] for grid in grids) > _CELLS:
        text = "This action would increase the number of cells in the workbook above the limit of"
        raise GoogleRefusal(400, "badRequest", f"{text} {_CELLS} cells.")


def grow(area: Area, rows: int, columns: int) -> None:
    """Make a sheet at least so large."""
    grid = area.sheet["properties"]["gridProperties"]
    grid["rowCount"] = max(grid["rowCount"], rows)
    grid["columnCount"] = max(grid["columnCount"], columns)
