"""Requests about tables: rows, columns, merges, borders and how cells look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.sandbox.google.decks.flow import Flow
from laconic.sandbox.google.decks.geometry import emu
from laconic.sandbox.google.decks.layouts import length
from laconic.sandbox.google.decks.objects import Editing, element_of, refused
from laconic.sandbox.google.decks.tables import Area, covering, heads, range_of, rebuilt, resized
from laconic.sandbox.google.slides.masks import update
from laconic.sandbox.google.slides.requests import SlideRequest

__all__ = ["TABLES"]

Row = dict[str, Any]
_NARROWEST: Final = 406_400
_SIDES: Final = {
    "OUTER": ("TOP", "BOTTOM", "LEFT", "RIGHT"),
    "INNER": ("INNER_HORIZONTAL", "INNER_VERTICAL"),
    "ALL": ("TOP", "BOTTOM", "LEFT", "RIGHT", "INNER_HORIZONTAL", "INNER_VERTICAL"),
}


def _table(editing: Editing, given: Row, key: str = "objectId") -> Row:
    table: Row = element_of(editing.deck, given.get(key, ""), "table").element["table"]
    return table


def _area(table: Row, given: Row) -> Area:
    at = given.get("cellLocation", {})
    return covering(table, at.get("rowIndex", 0), at.get("columnIndex", 0))


def _insert(axis: str, side: str) -> SlideRequest:
    def insert(editing: Editing, given: Row) -> Row:
        table = _table(editing, given, "tableObjectId")
        number = given.get("number", 1)
        if not 1 <= number <= 20:
            raise refused(f"The number of {axis} to insert must be between 1 and 20.")
        first, last = _area(table, given)[:2] if axis == "rows" else _area(table, given)[2:]
        resized(table, axis, last if given.get(side) else first, number)
        return {}

    return insert


def _delete(axis: str) -> SlideRequest:
    def delete(editing: Editing, given: Row) -> Row:
        place = element_of(editing.deck, given.get("tableObjectId", ""), "table")
        table = place.element["table"]
        first, last = _area(table, given)[:2] if axis == "rows" else _area(table, given)[2:]
        if last - first == table[axis]:
            place.among.remove(place.element)
        else:
            resized(table, axis, first, first - last)
        return {}

    return delete


def _merge(editing: Editing, given: Row) -> Row:
    table = _table(editing, given)
    area = range_of(table, given.get("tableRange"))
    inside = {one: cell for one, cell in heads(table).items() if _touches(one, area)}
    if any(not _contains(area, one) for one in inside):
        raise refused("The table range to merge is not rectangular: it cuts a merged cell.")
    flow = Flow(None)
    for cell in inside.values():
        words = Flow(cell.get("text"))
        if words.length:
            flow.insert(flow.length, "\n" if flow.length else "")
            flow.cells[flow.length : flow.length + 1] = words.cells
    cells = {one: cell for one, cell in heads(table).items() if one not in inside}
    head = dict(inside[min(inside)])
    head.pop("text", None)
    content = flow.content(editing.deck["presets"])
    cells[area] = {**head, **({"text": content} if content else {})}
    rebuilt(table, cells)
    return {}


def _touches(one: Area, other: Area) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _contains(outer: Area, inner: Area) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1] and outer[2] <= inner[2] and inner[3] <= outer[3]


def _unmerge(editing: Editing, given: Row) -> Row:
    table = _table(editing, given)
    area = range_of(table, given.get("tableRange"))
    cells: dict[Area, Row] = {}
    for one, cell in heads(table).items():
        if not _touches(one, area):
            cells[one] = cell
            continue
        for row in range(one[0], one[1]):
            for column in range(one[2], one[3]):
                is_head = (row, column) == (one[0], one[2])
                cells[row, row + 1, column, column + 1] = cell if is_head else {}
    rebuilt(table, cells)
    return {}


def _cells(editing: Editing, given: Row) -> Row:
    table = _table(editing, given)
    area = range_of(table, given.get("tableRange"))
    for one, cell in heads(table).items():
        if _touches(one, area):
            new = given.get("tableCellProperties", {})
            update(cell["tableCellProperties"], new, given.get("fields", ""), "TableCellProperties")
    return {}


def _borders(editing: Editing, given: Row) -> Row:
    table = _table(editing, given)
    top, bottom, left, right = range_of(table, given.get("tableRange"))
    position = given.get("borderPosition", "ALL")
    rows = {"TOP": [top], "BOTTOM": [bottom], "INNER_HORIZONTAL": range(top + 1, bottom)}
    columns = {"LEFT": [left], "RIGHT": [right], "INNER_VERTICAL": range(left + 1, right)}
    for side in _SIDES.get(position, (position,)):
        places = [
            ("horizontalBorderRows", row, column)
            for row in rows.get(side, ())
            for column in range(left, right)
        ]
        places += [
            ("verticalBorderRows", row, column)
            for column in columns.get(side, ())
            for row in range(top, bottom)
        ]
        for key, row, column in places:
            old = table[key][row]["tableBorderCells"][column]["tableBorderProperties"]
            update(
                old, given.get("tableBorderProperties", {}), given.get("fields", ""), "TableBorderProperties"
            )
    return {}


def _lines(axis: str, key: str) -> SlideRequest:
    """Return the request that sets the width of columns, or the height of rows."""

    def change(editing: Editing, given: Row) -> Row:
        table = _table(editing, given)
        chosen = given.get(key) or list(range(table[axis]))
        if not all(0 <= one < table[axis] for one in chosen):
            raise refused(f"The index is out of bounds: the table has {table[axis]} {axis}.")
        for index in chosen:
            _resize(table, axis, index, given)
        return {}

    return change


def _resize(table: Row, axis: str, index: int, given: Row) -> None:
    mask = given.get("fields", "")
    if axis == "columns":
        column = table["tableColumns"][index]
        new = given.get("tableColumnProperties", {})
        if "columnWidth" in new and emu(new["columnWidth"]) < _NARROWEST:
            raise refused(f"The column width must be at least {_NARROWEST} EMU.")
        update(column, new, mask, "TableColumnProperties")
        column.setdefault("columnWidth", length(_NARROWEST))
        return
    line = table["tableRows"][index]
    update(line["tableRowProperties"], given.get("tableRowProperties", {}), mask, "TableRowProperties")
    line["rowHeight"] = length(max(emu(line["tableRowProperties"].get("minRowHeight")), 381_000))


TABLES: Final[Mapping[str, SlideRequest]] = {
    "deleteTableColumn": _delete("columns"),
    "deleteTableRow": _delete("rows"),
    "insertTableColumns": _insert("columns", "insertRight"),
    "insertTableRows": _insert("rows", "insertBelow"),
    "mergeTableCells": _merge,
    "unmergeTableCells": _unmerge,
    "updateTableBorderProperties": _borders,
    "updateTableCellProperties": _cells,
    "updateTableColumnProperties": _lines("columns", "columnIndices"),
    "updateTableRowProperties": _lines("rows", "rowIndices"),
}
