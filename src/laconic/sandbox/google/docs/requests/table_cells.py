"""Requests that merge cells of tables, and style cells, rows and columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.masking import field_paths, masked_style
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.docs.requests.tables import TableAt, cell_at, table_at
from laconic.sandbox.google.papers.blocks import cell, is_empty, table
from laconic.sandbox.google.papers.grids import Corner, cell_starts, heads, row_starts
from laconic.sandbox.google.papers.places import end_of
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import bad_request

__all__ = ["TABLE_CELLS"]

_NARROWEST: Final = 5  # points of a column
_SPANS: Final = ("rowSpan", "columnSpan")
_BORDERS: Final = {  # in the order in which they are set: the side, its neighbour's, and where that is
    "borderRight": ("borderLeft", 0, 1),
    "borderLeft": ("borderRight", 0, -1),
    "borderBottom": ("borderTop", 1, 0),
    "borderTop": ("borderBottom", -1, 0),
}


def _area(draft: Draft, given: Row | None) -> tuple[TableAt, Corner, Corner]:
    """Return a table, where a range of it begins, and what that spans."""
    area = given or {}
    found, row, column = cell_at(draft, area.get("tableCellLocation"))
    height, width = area.get("rowSpan", 1), area.get("columnSpan", 1)
    is_inside = row + height <= len(found.block["rows"]) and column + width <= len(found.block["columns"])
    if height < 1 or width < 1 or not is_inside:
        raise bad_request("The table range is not inside of the table.")
    return found, (row, column), (height, width)


def _cells(corner: Corner, size: Corner) -> list[Corner]:
    (top, left), (height, width) = corner, size
    return [(row, column) for row in range(top, top + height) for column in range(left, left + width)]


def _merge(draft: Draft, given: Row) -> Row:
    found, corner, size = _area(draft, given.get("tableRange"))
    inside = set(_cells(corner, size))
    for other in heads(found.block):
        own = set(_cells(*other))
        if own & inside and not own <= inside:
            raise bad_request("The table range must be a rectangle.")
    if size == (1, 1):
        return {}
    rows = _rows(found.block)
    merged = [
        block
        for row, column in _cells(corner, size)
        if not is_empty(rows[row]["cells"][column]["blocks"])
        for block in rows[row]["cells"][column]["blocks"]
    ]
    for row, column in _cells(corner, size):
        rows[row]["cells"][column] = cell()
    style = {**found.block["rows"][corner[0]]["cells"][corner[1]]["style"]}
    style |= dict(zip(_SPANS, size, strict=True))
    rows[corner[0]]["cells"][corner[1]] = cell(merged, style)
    _rebuild(draft, found, rows)
    return {}


def _unmerge(draft: Draft, given: Row) -> Row:
    found, corner, size = _area(draft, given.get("tableRange"))
    rows, inside = _rows(found.block), set(_cells(corner, size))
    for head, covered in heads(found.block):
        if inside & set(_cells(head, covered)):
            old = rows[head[0]]["cells"][head[1]]
            style = {name: value for name, value in old["style"].items() if name not in _SPANS}
            rows[head[0]]["cells"][head[1]] = {**old, "style": style}
    _rebuild(draft, found, rows)
    return {}


def _rows(block: Row) -> list[Row]:
    return [{**row, "cells": list(row["cells"])} for row in block["rows"]]


def _rebuild(draft: Draft, found: TableAt, rows: list[Row]) -> None:
    """Put a table with other cells in the place of one, and move along what is in them."""
    old, start = found.block, found.here.start
    shifts = []
    for row, place, new in zip(old["rows"], row_starts(old, start), rows, strict=False):
        for one, at, other in zip(row["cells"], cell_starts(row, place), new["cells"], strict=False):
            before, after = end_of(one["blocks"]), end_of(other["blocks"])
            if after > before:
                shifts.append((at + 1 + before, 0, after - before))
            elif after < before:
                shifts.append((at + 1 + after, before - after, 0))
    found.put(table(rows, old))
    for at, removed, added in reversed(shifts):
        draft.shift(found.segment, at, removed, added)


def _pin(draft: Draft, given: Row) -> Row:
    found = table_at(draft, given.get("tableStartLocation"))
    count = given.get("pinnedHeaderRowsCount", 0)
    rows = _rows(found.block)
    if not 0 <= count <= len(rows):
        raise bad_request(f"The table has {len(rows)} rows, so {count} cannot be pinned.")
    for number, row in enumerate(rows):
        style = {name: value for name, value in row["style"].items() if name != "tableHeader"}
        row["style"] = {**style, "tableHeader": True} if number < count else style
    found.put(table(rows, found.block))
    return {}


def _style_cells(draft: Draft, given: Row) -> Row:
    if "tableStartLocation" in given:
        found = table_at(draft, given["tableStartLocation"])
        corner, size = (0, 0), (len(found.block["rows"]), len(found.block["columns"]))
    else:
        found, corner, size = _area(draft, given.get("tableRange"))
    paths = field_paths(given.get("fields", ""), "TableCellStyle")
    if given.get("fields") == "*":
        paths = [path for path in paths if path[0] not in _SPANS]
    if any(path[0] in _SPANS for path in paths):
        raise bad_request("The fields rowSpan and columnSpan are read-only.")
    style, rows = given.get("tableCellStyle", {}), _rows(found.block)
    for row, column in _cells(corner, size):
        _set(rows, row, column, style, paths)
    for side, (other, down, right) in _BORDERS.items():
        own = [path for path in paths if path[0] == side]
        shared = {other: style[side]} if side in style else {}
        for row, column in _cells(corner, size) if own else ():
            _set(rows, row + down, column + right, shared, [[other, *path[1:]] for path in own])
    found.put(table(rows, found.block))
    return {}


def _set(rows: list[Row], row: int, column: int, style: Row, paths: list[list[str]]) -> None:
    if 0 <= row < len(rows) and 0 <= column < len(rows[row]["cells"]):
        old = rows[row]["cells"][column]
        rows[row]["cells"][column] = {**old, "style": masked_style(old["style"], style, paths)}


def _style_rows(draft: Draft, given: Row) -> Row:
    found = table_at(draft, given.get("tableStartLocation"))
    paths, style = field_paths(given.get("fields", ""), "TableRowStyle"), given.get("tableRowStyle", {})
    rows = _rows(found.block)
    for number in _wanted(given.get("rowIndices"), len(rows), "row"):
        rows[number]["style"] = masked_style(rows[number]["style"], style, paths)
    found.put(table(rows, found.block))
    return {}


def _style_columns(draft: Draft, given: Row) -> Row:
    found = table_at(draft, given.get("tableStartLocation"))
    paths = field_paths(given.get("fields", ""), "TableColumnProperties")
    style = given.get("tableColumnProperties", {})
    if "width" in style and style["width"].get("magnitude", 0) < _NARROWEST:
        raise bad_request(f"The width of a column must be at least {_NARROWEST} points.")
    columns = list(found.block["columns"])
    for number in _wanted(given.get("columnIndices"), len(columns), "column"):
        columns[number] = masked_style(columns[number], style, paths)
    found.put({**found.block, "columns": columns})
    return {}


def _wanted(given: list[int] | None, count: int, what: str) -> list[int]:
    for number in given or ():
        if not 0 <= number < count:
            raise bad_request(f"The table has no {what} {number}.")
    return list(given or range(count))


TABLE_CELLS: Final[Mapping[str, DocRequest]] = {
    "mergeTableCells": _merge,
    "pinTableHeaderRows": _pin,
    "unmergeTableCells": _unmerge,
    "updateTableCellStyle": _style_cells,
    "updateTableColumnProperties": _style_columns,
    "updateTableRowStyle": _style_rows,
}
