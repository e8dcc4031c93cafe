"""Requests about sheets, rows, columns and named ranges."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from laconic.sandbox.google.books.a1 import grid_area, sheet_of
from laconic.sandbox.google.books.book import Row, new_sheet, number
from laconic.sandbox.google.books.following import Deleted, Inserted, follow
from laconic.sandbox.google.books.looks import layers, metadata_of
from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.sheets.requests import Request

__all__ = ["STRUCTURE", "masked_update", "named_range", "refused", "span_of"]


def refused(text: str) -> GoogleRefusal:
    """Return the refusal of a request."""
    return GoogleRefusal(400, "badRequest", text)


def masked_update(old: Row, new: Mapping[str, Any], fields: str) -> None:
    """Change the fields that a mask names; one that is named and not given is removed."""
    if not fields:
        raise refused("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    names = list(new) if fields == "*" else [part.strip() for part in fields.split(",")]
    for name in names:
        first, _, rest = name.replace("/", ".").partition(".")
        if rest:
            masked_update(old.setdefault(first, {}), new.get(first, {}), rest)
        elif first in new:
            old[first] = new[first]
        else:
            old.pop(first, None)


def _add_sheet(book: Row, given: Row) -> Row:
    properties = dict(given.get("properties", {}))
    index = properties.pop("index", None)
    return {"addSheet": {"properties": new_sheet(book, properties, index)["properties"]}}


def _delete_sheet(book: Row, given: Row) -> Row:
    found = sheet_of(book["sheets"], given.get("sheetId", 0))
    if len(book["sheets"]) == 1:
        raise refused("You can't remove all the sheets in a document.")
    book["sheets"].remove(found)
    number(book)
    return {}


def _update_sheet(book: Row, given: Row) -> Row:
    new = given.get("properties", {})
    found = sheet_of(book["sheets"], new.get("sheetId", 0))
    titles = {one["properties"]["title"] for one in book["sheets"] if one is not found}
    if new.get("title") in titles:
        raise refused(f'A sheet with the name "{new["title"]}" already exists. Please enter another name.')
    masked_update(found["properties"], new, given.get("fields", ""))
    if "index" in new:
        book["sheets"].remove(found)
        book["sheets"].insert(new["index"], found)
    number(book)
    return {}


def _duplicate_sheet(book: Row, given: Row) -> Row:
    source = sheet_of(book["sheets"], given.get("sourceSheetId", 0))
    properties = deepcopy(source["properties"])
    properties |= {"title": given.get("newSheetName") or f"Copy of {properties['title']}"}
    properties.pop("sheetId")
    if "newSheetId" in given:
        properties["sheetId"] = given["newSheetId"]
    new = new_sheet(book, properties, given.get("insertSheetIndex"))
    new["rows"] = deepcopy(source["rows"])
    return {"duplicateSheet": {"properties": new["properties"]}}


def _update_book(book: Row, given: Row) -> Row:
    masked_update(book["properties"], given.get("properties", {}), given.get("fields", ""))
    return {}


def span_of(book: Row, given: Row) -> tuple[Row, str, int, int]:
    """Return rows or columns: their sheet, their kind, the first, and the one after the last."""
    sheet = sheet_of(book["sheets"], given.get("sheetId", 0))
    start, end = given.get("startIndex", 0), given.get("endIndex")
    kind = given.get("dimension", "")
    size = sheet["properties"]["gridProperties"]["rowCount" if kind == "ROWS" else "columnCount"]
    end = size if end is None else end
    if kind not in ("ROWS", "COLUMNS") or not 0 <= start < end:
        raise refused("No valid dimension range was given.")
    return sheet, kind, start, end


def _insert(book: Row, given: Row) -> Row:
    sheet, kind, start, end = span_of(book, given.get("range", {}))
    grid = sheet["properties"]["gridProperties"]
    for rows, empty in layers(sheet):
        if kind == "ROWS" and start < len(rows):
            rows[start:start] = [[] for _ in range(end - start)]
        for cells in rows if kind == "COLUMNS" else ():
            if start < len(cells):
                cells[start:start] = [empty] * (end - start)
    grid["rowCount" if kind == "ROWS" else "columnCount"] += end - start
    known = metadata_of(sheet, kind)
    if start < len(known):
        known[start:start] = [{} for _ in range(end - start)]
    follow(book, sheet, kind, Inserted(start, end - start))
    return {}


def _delete(book: Row, given: Row) -> Row:
    sheet, kind, start, end = span_of(book, given.get("range", {}))
    grid = sheet["properties"]["gridProperties"]
    key = "rowCount" if kind == "ROWS" else "columnCount"
    if end - start >= grid[key]:
        raise refused(f"You can't delete all the {kind.lower()} on the sheet.")
    for rows, _ in layers(sheet):
        if kind == "ROWS":
            del rows[start:end]
        for cells in rows if kind == "COLUMNS" else ():
            del cells[start:end]
    del metadata_of(sheet, kind)[start:end]
    grid[key] -= end - start
    follow(book, sheet, kind, Deleted(start, end))
    return {}


def _append(book: Row, given: Row) -> Row:
    sheet = sheet_of(book["sheets"], given.get("sheetId", 0))
    key = "rowCount" if given.get("dimension") == "ROWS" else "columnCount"
    sheet["properties"]["gridProperties"][key] += given.get("length", 0)
    return {}


def _add_name(book: Row, given: Row) -> Row:
    new = dict(given.get("namedRange", {}))
    grid_area(book, new.get("range", {}))
    if any(one["name"] == new.get("name") for one in book["namedRanges"]):
        raise refused(f'The named range "{new.get("name")}" already exists.')
    new.setdefault("namedRangeId", f"name{len(book['namedRanges']) + 1}")
    book["namedRanges"].append(new)
    return {"addNamedRange": {"namedRange": new}}


def named_range(book: Row, id: str) -> Row:
    """Return a named range.

    Raises:
        GoogleRefusal: there is none with this id.
    """
    for one in book["namedRanges"]:
        if one["namedRangeId"] == id:
            found: Row = one
            return found
    raise refused(f"No named range with id: {id}")


def _update_name(book: Row, given: Row) -> Row:
    new = given.get("namedRange", {})
    masked_update(named_range(book, new.get("namedRangeId", "")), new, given.get("fields", ""))
    return {}


def _delete_name(book: Row, given: Row) -> Row:
    book["namedRanges"].remove(named_range(book, given.get("namedRangeId", "")))
    return {}


STRUCTURE: Final[Mapping[str, Request]] = {
    "addNamedRange": _add_name,
    "addSheet": _add_sheet,
    "appendDimension": _append,
    "deleteDimension": _delete,
    "deleteNamedRange": _delete_name,
    "deleteSheet": _delete_sheet,
    "duplicateSheet": _duplicate_sheet,
    "insertDimension": _insert,
    "updateNamedRange": _update_name,
    "updateSheetProperties": _update_sheet,
    "updateSpreadsheetProperties": _update_book,
}
