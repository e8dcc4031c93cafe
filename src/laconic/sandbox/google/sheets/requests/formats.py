"""Requests about looks: formats and borders of cells, rules for formats, sizes of rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from laconic.sandbox.google.books.a1 import Area, grid_area, sheet_of
from laconic.sandbox.google.books.book import Row, cell_at, put
from laconic.sandbox.google.books.cells import shown
from laconic.sandbox.google.books.following import shifted
from laconic.sandbox.google.books.looks import format_at, metadata_of, put_format
from laconic.sandbox.google.sheets.requests import Request
from laconic.sandbox.google.sheets.requests.structure import masked_update, refused, span_of

__all__ = ["FORMATS"]

_WIDE: Final = 8  # pixels of a letter
_USUAL: Final = {"ROWS": 21, "COLUMNS": 100}


def _set_cell(sheet: Row, row: int, column: int, given: Mapping[str, Any], fields: str) -> None:
    if not fields:
        raise refused("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    for field in fields.split(","):
        name, _, rest = field.strip().partition(".")
        if name not in ("*", "userEnteredValue", "userEnteredFormat"):
            raise refused(f"The practice Google keeps no {name} of cells.")
        if name != "userEnteredFormat":
            put(sheet, row, column, _value(given.get("userEnteredValue", {})))
        if name != "userEnteredValue":
            format = deepcopy(format_at(sheet, row, column)) if rest else {}
            masked_update(format, given.get("userEnteredFormat", {}), rest or "*")
            put_format(sheet, row, column, format)


def _value(value: Mapping[str, Any]) -> Any:
    if "formulaValue" in value:
        return {"f": value["formulaValue"]}
    return next((value[key] for key in ("numberValue", "stringValue", "boolValue") if key in value), "")


def _repeat(book: Row, given: Row) -> Row:
    area, cell = grid_area(book, given.get("range", {})), given.get("cell", {})
    formula = cell.get("userEnteredValue", {}).get("formulaValue", "")
    for row, column in _places(area):
        if formula:
            own = {"formulaValue": shifted(formula, row - area.top, column - area.left)}
            cell = {**cell, "userEnteredValue": own}
        _set_cell(area.sheet, row, column, cell, given.get("fields", ""))
    return {}


def _places(area: Area) -> Iterator[tuple[int, int]]:
    for row in range(area.top, area.end_row):
        for column in range(area.left, area.end_column):
            yield row, column


def _update(book: Row, given: Row) -> Row:
    if "start" in given:
        start = given["start"]
        sheet = sheet_of(book["sheets"], start.get("sheetId", 0))
        top, left = start.get("rowIndex", 0), start.get("columnIndex", 0)
    else:
        area = grid_area(book, given.get("range", {}))
        sheet, top, left = area.sheet, area.top, area.left
    for down, row in enumerate(given.get("rows", [])):
        for across, cell in enumerate(row.get("values", [])):
            _set_cell(sheet, top + down, left + across, cell, given.get("fields", ""))
    return {}


def _borders(book: Row, given: Row) -> Row:
    area = grid_area(book, given.get("range", {}))
    last = {"top": area.top, "bottom": area.end_row - 1, "left": area.left, "right": area.end_column - 1}
    for row, column in _places(area):
        outer = {
            "top": row == last["top"],
            "bottom": row == last["bottom"],
            "left": column == last["left"],
            "right": column == last["right"],
        }
        for side, is_outer in outer.items():
            inner = "innerHorizontal" if side in ("top", "bottom") else "innerVertical"
            line = given.get(side if is_outer else inner)
            if line is not None:
                format = deepcopy(format_at(area.sheet, row, column))
                format.setdefault("borders", {})[side] = line
                put_format(area.sheet, row, column, format)
    return {}


def _add_rule(book: Row, given: Row) -> Row:
    rule = given.get("rule", {})
    if not rule.get("ranges"):
        raise refused("No ranges were given.")
    sheet = grid_area(book, rule["ranges"][0]).sheet
    if any(grid_area(book, one).sheet is not sheet for one in rule["ranges"]):
        raise refused("All ranges of a rule must be on one sheet.")
    if len({"booleanRule", "gradientRule"} & rule.keys()) != 1:
        raise refused("A rule is either a booleanRule or a gradientRule.")
    sheet.setdefault("conditionalFormats", []).insert(given.get("index", 0), rule)
    return {}


def _sizes(book: Row, given: Row) -> Row:
    sheet, kind, start, end = span_of(book, given.get("range", {}))
    known = metadata_of(sheet, kind)
    known += [{"pixelSize": _USUAL[kind]} for _ in range(end - len(known))]
    for place in range(start, end):
        masked_update(known[place], given.get("properties", {}), given.get("fields", ""))
    return {}


def _fit(book: Row, given: Row) -> Row:
    sheet, kind, start, end = span_of(book, given.get("dimensions", {}))
    known = metadata_of(sheet, kind)
    known += [{"pixelSize": _USUAL[kind]} for _ in range(end - len(known))]
    for place in range(start, end):
        letters = [len(shown(cell_at(sheet, row, place))) for row in range(len(sheet["rows"]))]
        longest = max(letters, default=0) * _WIDE + 6
        known[place]["pixelSize"] = longest if kind == "COLUMNS" else _USUAL["ROWS"]
    return {}


FORMATS: Final[Mapping[str, Request]] = {
    "addConditionalFormatRule": _add_rule,
    "autoResizeDimensions": _fit,
    "repeatCell": _repeat,
    "updateBorders": _borders,
    "updateCells": _update,
    "updateDimensionProperties": _sizes,
}
