"""Tables: cells by place, where merged ones are kept once, and the borders between them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

from laconic.sandbox.google.decks.layouts import length
from laconic.sandbox.google.decks.objects import refused

__all__ = ["Area", "cell_at", "heads", "new_table", "range_of", "rebuilt", "resized"]

Row = dict[str, Any]
Area = tuple[int, int, int, int]  # first row, row after, first column, column after
_HEIGHT: Final = 381_000
_ACROSS: Final = {"rows": "horizontal", "columns": "vertical"}  # the borders between rows, or columns
_GREY: Final = {"rgbColor": {"red": 0.62, "green": 0.62, "blue": 0.62}}


def new_table(rows: int, columns: int, width: float, height: float) -> Row:
    """Return an empty table."""
    if rows < 1 or columns < 1:
        raise refused("The table must have at least one row and one column.")
    table: Row = {
        "rows": rows,
        "columns": columns,
        "tableColumns": [{"columnWidth": length(width / columns)} for _ in range(columns)],
        "tableRows": [_line(max(height / rows, _HEIGHT)) for _ in range(rows)],
        "horizontalBorderRows": [],
        "verticalBorderRows": [],
    }
    rebuilt(
        table, {(row, row + 1, column, column + 1): {} for row in range(rows) for column in range(columns)}
    )
    return table


def _line(height: float) -> Row:
    return {
        "rowHeight": length(height),
        "tableRowProperties": {"minRowHeight": length(height)},
        "tableCells": [],
    }


def location(row: int, column: int) -> Row:
    """Return a place as it is shown: zeros are left out."""
    return {**({"rowIndex": row} if row else {}), **({"columnIndex": column} if column else {})}


def heads(table: Row) -> dict[Area, Row]:
    """Return all cells by the area that each covers."""
    found = {}
    for line in table["tableRows"]:
        for cell in line["tableCells"]:
            row, column = cell["location"].get("rowIndex", 0), cell["location"].get("columnIndex", 0)
            found[row, row + cell["rowSpan"], column, column + cell["columnSpan"]] = cell
    return found


def rebuilt(table: Row, cells: dict[Area, Row]) -> None:
    """Let a table have these cells, and borders that fit."""
    for line in table["tableRows"]:
        line["tableCells"] = []
    for (top, bottom, left, right), cell in sorted(cells.items(), key=lambda one: (one[0][0], one[0][2])):
        new = {"tableCellProperties": {"tableCellBackgroundFill": {"propertyState": "INHERIT"}}, **cell}
        new |= {"location": location(top, left), "rowSpan": bottom - top, "columnSpan": right - left}
        table["tableRows"][top]["tableCells"].append(new)
    _borders(table, "horizontalBorderRows", table["rows"] + 1, table["columns"])
    _borders(table, "verticalBorderRows", table["rows"], table["columns"] + 1)


def _borders(table: Row, key: str, rows: int, columns: int) -> None:
    """Keep borders that exist, and add those that are missing."""
    old = {}
    for line in table[key]:
        for one in line["tableBorderCells"]:
            at = one["location"]
            old[at.get("rowIndex", 0), at.get("columnIndex", 0)] = one["tableBorderProperties"]
    table[key] = [
        {
            "tableBorderCells": [
                {
                    "location": location(row, column),
                    "tableBorderProperties": old.get((row, column)) or _border(),
                }
                for column in range(columns)
            ]
        }
        for row in range(rows)
    ]


def _border() -> Row:
    fill = {"solidFill": {"color": deepcopy(_GREY), "alpha": 1}}
    return {"tableBorderFill": fill, "weight": length(9_525), "dashStyle": "SOLID"}


def covering(table: Row, row: int, column: int) -> Area:
    """Return the area of the cell that is at a place."""
    if not (0 <= row < table["rows"] and 0 <= column < table["columns"]):
        size = f"{table['rows']} rows and {table['columns']} columns"
        raise refused(
            f"The cell location (row {row}, column {column}) is out of bounds: the table has {size}."
        )
    return next(area for area in heads(table) if area[0] <= row < area[1] and area[2] <= column < area[3])


def cell_at(table: Row, place: Row) -> Row:
    """Return the cell at a place; what another one covers has no text of its own."""
    row, column = place.get("rowIndex", 0), place.get("columnIndex", 0)
    area = covering(table, row, column)
    if (area[0], area[2]) != (row, column):
        head = f"row {area[0]}, column {area[2]}"
        raise refused(f"The cell (row {row}, column {column}) is merged into the one at {head}.")
    return heads(table)[area]


def range_of(table: Row, given: Row | None) -> Area:
    """Return the area that a request is about; the whole table if it does not say."""
    if not given:
        return 0, table["rows"], 0, table["columns"]
    at = given.get("location", {})
    top, left = at.get("rowIndex", 0), at.get("columnIndex", 0)
    bottom, right = top + given.get("rowSpan", 0), left + given.get("columnSpan", 0)
    if not (0 <= top < bottom <= table["rows"] and 0 <= left < right <= table["columns"]):
        size = f"{table['rows']} rows and {table['columns']} columns"
        raise refused(f"The table range is out of bounds: the table has {size}.")
    return top, bottom, left, right


def resized(table: Row, axis: str, at: int, by: int) -> None:
    """Insert `by` rows or columns at a place, or delete -`by` of them."""
    cells = {}
    for area, cell in heads(table).items():
        first, last = area[:2] if axis == "rows" else area[2:]
        first, last = (_moved(first, at, by), _moved(last, at, by, is_end=True))
        if first < last:
            cells[(first, last, *area[2:]) if axis == "rows" else (*area[:2], first, last)] = cell
    _resize_lines(table, axis, at, by)
    for key in ("horizontalBorderRows", "verticalBorderRows"):
        _shift_borders(table[key], axis, at, by, is_between=key.startswith(_ACROSS[axis]))
    table[axis] += by
    if by > 0:
        across = range(table["columns" if axis == "rows" else "rows"])
        for place in range(at, at + by):
            for other in across:
                row, column = (place, other) if axis == "rows" else (other, place)
                if not any(a[0] <= row < a[1] and a[2] <= column < a[3] for a in cells):
                    cells[row, row + 1, column, column + 1] = {}
    rebuilt(table, cells)


def _moved(index: int, at: int, by: int, *, is_end: bool = False) -> int:
    if by > 0:
        return index + by if (index > at if is_end else index >= at) else index
    return index if index <= at else max(at, index + by)


def _shift_borders(lines: list[Row], axis: str, at: int, by: int, *, is_between: bool) -> None:
    """Move borders with their cells; those of deleted cells go."""
    name = "rowIndex" if axis == "rows" else "columnIndex"
    for line in lines:
        kept = []
        for one in line["tableBorderCells"]:
            index = one["location"].get(name, 0)
            is_gone = by < 0 and (at < index <= at - by if is_between else at <= index < at - by)
            if not is_gone:
                one["location"] = {**one["location"], name: _moved(index, at, by, is_end=is_between)}
                kept.append(one)
        line["tableBorderCells"] = kept


def _resize_lines(table: Row, axis: str, at: int, by: int) -> None:
    key = "tableRows" if axis == "rows" else "tableColumns"
    if by < 0:
        del table[key][at : at - by]
        return
    like = table[key][max(at - 1, 0)]
    if axis == "rows":
        new = [_line(like["rowHeight"]["magnitude"]) for _ in range(by)]
    else:
        total = sum(one["columnWidth"]["magnitude"] for one in table[key])
        share = len(table[key]) / (len(table[key]) + by)
        for one in table[key]:
            one["columnWidth"]["magnitude"] *= share
        new = [{"columnWidth": length(total / (len(table[key]) + by))} for _ in range(by)]
    table[key][at:at] = new
