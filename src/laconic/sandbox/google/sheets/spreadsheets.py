"""Spreadsheets: reading their structure, creating them, and copying a sheet into another."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.books.a1 import Area, area_of, sheet_of
from laconic.sandbox.google.books.book import Row, book_of, new_book, new_sheet
from laconic.sandbox.google.books.cells import shown
from laconic.sandbox.google.books.rendering import rendered
from laconic.sandbox.google.drive.changing import add_file, touch
from laconic.sandbox.google.drive.files import GOOGLE, file_of
from laconic.sandbox.google.sheets.values import opened

__all__ = ["HANDLERS", "whole"]


def whole(book: Row, ranges: list[str] | None = None, *, with_cells: bool = False) -> Row:
    """Return a spreadsheet as it is shown."""
    areas = [area_of(book, one) for one in ranges or []]
    sheets = []
    for one in book["sheets"]:
        own = [area for area in areas if area.sheet is one]
        if areas and not own:
            continue
        found = {key: value for key, value in one.items() if key not in ("rows", "formats", "sizes")}
        if with_cells:
            found["data"] = [_data(book, area) for area in own or [Area(one)]]
        sheets.append(found)
    address = f"https://docs.google.com/spreadsheets/d/{book['id']}/edit"
    return {
        **{"spreadsheetId": book["id"], "properties": book["properties"], "sheets": sheets},
        **{"namedRanges": book["namedRanges"], "spreadsheetUrl": address},
    }


def _data(book: Row, area: Area) -> Row:
    values = rendered(book, area, "UNFORMATTED_VALUE")
    formats = area.sheet.get("formats", [])[area.top : area.end_row]
    rows = []
    for place in range(max(len(values), len(formats))):
        cells = [_cell(value) for value in (values[place] if place < len(values) else [])]
        looks = formats[place][area.left : area.end_column] if place < len(formats) else []
        cells += [{} for _ in range(len(looks) - len(cells))]
        for cell, look in zip(cells, looks, strict=False):
            cell.update({"userEnteredFormat": look} if look else {})
        rows.append({"values": cells})
    found: Row = {"rowData": rows}
    for kind, name in (("ROWS", "rowMetadata"), ("COLUMNS", "columnMetadata")):
        known = area.sheet.get("sizes", {}).get(kind)
        found |= {name: known} if known else {}
    found |= {"startRow": area.top} if area.top else {}
    found |= {"startColumn": area.left} if area.left else {}
    return found


def _cell(value: Any) -> Row:
    if value == "":
        return {}
    kind = (
        "boolValue"
        if isinstance(value, bool)
        else "numberValue"
        if isinstance(value, int | float)
        else "stringValue"
    )
    return {"effectiveValue": {kind: value}, "formattedValue": shown(value)}


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    fields = asked.given.get("fields", "")
    with_cells = asked.given.get("includeGridData") or "data" in fields.replace("metadata", "")
    return AnsweredGoogle(whole(opened(asked), asked.given.get("ranges"), with_cells=bool(with_cells)))


def _create(asked: AskedGoogle) -> AnsweredGoogle:
    given = asked.body.get("properties", {})
    title = given.get("title") or "Untitled spreadsheet"
    row = add_file(asked, {"name": title, "mimeType": f"{GOOGLE}spreadsheet"})
    book = new_book(asked.state, row["id"], title)
    book["properties"] |= given
    if asked.body.get("sheets"):
        book["sheets"].clear()
        for one in asked.body["sheets"]:
            new_sheet(book, dict(one.get("properties", {})))
    touch(asked, row)
    return AnsweredGoogle(whole(book))


def _copy_to(asked: AskedGoogle) -> AnsweredGoogle:
    source = sheet_of(opened(asked)["sheets"], int(asked.given["sheetId"]))
    target = file_of(asked, asked.body["destinationSpreadsheetId"], "writer")
    book = book_of(asked.state, target["id"])
    given = deepcopy(source["properties"])
    given.pop("sheetId")
    new = new_sheet(book, {**given, "title": f"Copy of {given['title']}"})
    new["rows"] = deepcopy(source["rows"])
    touch(asked, target)
    return AnsweredGoogle(new["properties"])


HANDLERS = {"sheets_create": _create, "sheets_get": _get, "sheets_sheets_copyTo": _copy_to}
