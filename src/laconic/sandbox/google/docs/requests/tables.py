"""Requests that insert tables, and insert and delete their rows and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.sandbox.google.docs.draft import Draft, Segment
from laconic.sandbox.google.docs.editing import erase, insert_block
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.blocks import cell, new_table, table
from laconic.sandbox.google.papers.grids import cell_starts, covers, narrowed, row_size, row_starts, spread
from laconic.sandbox.google.papers.places import Spot, put, spot
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import bad_request

__all__ = ["TABLES", "TableAt", "cell_at", "table_at"]

_MOST: Final = 20  # columns


@dataclass(frozen=True)
class TableAt:
    """A table, and where it is."""

    segment: Segment
    here: Spot

    @property
    def block(self) -> Row:
        """The table."""
        return self.here.block

    def put(self, block: Row) -> None:
        """Put another table in its place."""
        put(self.segment.row, self.here.path, self.here.at, self.here.at + 1, [block])


def table_at(draft: Draft, location: Mapping[str, Any] | None) -> TableAt:
    """Return the table that begins at a location.

    Raises:
        GoogleRefusal: none does.
    """
    if location is None:
        raise bad_request("The location where the table begins is required.")
    segment = draft.segment(location)
    index = draft.index(segment, location.get("index", 0))
    here = spot(segment.blocks, index)
    if "rows" not in here.block or here.start != index:
        raise bad_request(f"Invalid table start location. No table begins at index {index}.")
    return TableAt(segment, here)


def cell_at(draft: Draft, given: Mapping[str, Any] | None) -> tuple[TableAt, int, int]:
    """Return a table, and a row and a column of it.

    Raises:
        GoogleRefusal: the table does not have them.
    """
    location = given or {}
    found = table_at(draft, location.get("tableStartLocation"))
    row, column = location.get("rowIndex", 0), location.get("columnIndex", 0)
    rows = found.block["rows"]
    if not 0 <= row < len(rows) or not 0 <= column < len(rows[row]["cells"]):
        raise bad_request(f"The table has no cell in row {row} and column {column}.")
    return found, row, column


def _insert(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given)
    if segment.row["kind"] == "footnote":
        raise bad_request("Tables cannot be inserted inside a footnote.")
    rows, columns = given.get("rows", 0), given.get("columns", 0)
    if rows < 1 or columns < 1:
        raise bad_request("A table must have at least one row and one column.")
    if columns > _MOST:
        raise bad_request(f"A table can have {_MOST} columns at most.")
    insert_block(draft, segment, index, new_table(rows, columns))
    return {}


def _insert_row(draft: Draft, given: Row) -> Row:
    found, row, column = cell_at(draft, given.get("tableCellLocation"))
    (top, _), (height, _) = covers(found.block, row, column)
    at = top + height if given.get("insertBelow") else top
    new: Row = {"cells": [cell() for _ in found.block["columns"]], "style": {}}
    rows = spread(found.block, at, 0)
    where = row_starts(found.block, found.here.start)[at]
    found.put(table([*rows[:at], new, *rows[at:]], found.block))
    draft.shift(found.segment, where, 0, row_size(new))
    return {}


def _insert_column(draft: Draft, given: Row) -> Row:
    found, row, column = cell_at(draft, given.get("tableCellLocation"))
    if len(found.block["columns"]) >= _MOST:
        raise bad_request(f"A table can have {_MOST} columns at most.")
    (_, left), (_, width) = covers(found.block, row, column)
    at = left + width if given.get("insertRight") else left
    new = cell()
    rows = spread(found.block, at, 1)
    made = [{**one, "cells": [*one["cells"][:at], new, *one["cells"][at:]]} for one in rows]
    columns = list(found.block["columns"])
    columns.insert(at, {"widthType": "EVENLY_DISTRIBUTED"})
    starts = _column_starts(found, at)
    found.put(table(made, {**found.block, "columns": columns}))
    for where in reversed(starts):
        draft.shift(found.segment, where, 0, 2)
    return {}


def _column_starts(found: TableAt, at: int) -> list[int]:
    """Return where a column begins, row by row."""
    starts = row_starts(found.block, found.here.start)
    return [cell_starts(row, start)[at] for row, start in zip(found.block["rows"], starts, strict=False)]


def _delete_row(draft: Draft, given: Row) -> Row:
    found, row, column = cell_at(draft, given.get("tableCellLocation"))
    (top, _), (height, _) = covers(found.block, row, column)
    if height == len(found.block["rows"]):
        return _delete_table(draft, found)
    starts = row_starts(found.block, found.here.start)
    rows = narrowed(found.block, top, height, 0)
    gone = [one for row in found.block["rows"][top : top + height] for one in _blocks(row["cells"])]
    found.put(table(rows[:top] + rows[top + height :], found.block))
    draft.shift(found.segment, starts[top], starts[top + height] - starts[top], 0)
    draft.forget(found.segment.tab, gone)
    return {}


def _delete_column(draft: Draft, given: Row) -> Row:
    found, row, column = cell_at(draft, given.get("tableCellLocation"))
    (_, left), (_, width) = covers(found.block, row, column)
    if width == len(found.block["columns"]):
        return _delete_table(draft, found)
    starts, ends = _column_starts(found, left), _column_starts(found, left + width)
    rows = narrowed(found.block, left, width, 1)
    gone = [one for row in found.block["rows"] for one in _blocks(row["cells"][left : left + width])]
    made = [{**one, "cells": one["cells"][:left] + one["cells"][left + width :]} for one in rows]
    columns = found.block["columns"][:left] + found.block["columns"][left + width :]
    found.put(table(made, {**found.block, "columns": columns}))
    for start, end in reversed(list(zip(starts, ends, strict=True))):
        draft.shift(found.segment, start, end - start, 0)
    draft.forget(found.segment.tab, gone)
    return {}


def _blocks(cells: Sequence[Row]) -> list[Row]:
    return [block for one in cells for block in one["blocks"]]


def _delete_table(draft: Draft, found: TableAt) -> Row:
    erase(draft, found.segment, found.here.start, found.here.start + found.block["size"])
    return {}


TABLES: Final[Mapping[str, DocRequest]] = {
    "deleteTableColumn": _delete_column,
    "deleteTableRow": _delete_row,
    "insertTable": _insert,
    "insertTableColumn": _insert_column,
    "insertTableRow": _insert_row,
}
