"""Requests about cells: search and replace, sorting, duplicates, merges and filters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from laconic.sandbox.google.books.a1 import Area, grid_area, sheet_of
from laconic.sandbox.google.books.book import Row, cell_at, put
from laconic.sandbox.google.books.cells import as_entered, entered, is_empty, shown, value_of
from laconic.sandbox.google.sheets.requests import Request
from laconic.sandbox.google.sheets.requests.structure import refused

__all__ = ["CELLS"]


def _areas(book: Row, given: Row) -> list[Area]:
    if given.get("allSheets"):
        return [Area(one) for one in book["sheets"]]
    if "range" in given:
        return [grid_area(book, given["range"])]
    return [Area(sheet_of(book["sheets"], given.get("sheetId", 0)))]


def _replace(book: Row, given: Row) -> Row:
    pattern = given.get("find", "") if given.get("searchByRegex") else re.escape(given.get("find", ""))
    if given.get("matchEntireCell"):
        pattern = f"^(?:{pattern})$"
    find = re.compile(pattern, 0 if given.get("matchCase") else re.IGNORECASE)
    new = given.get("replacement", "")
    counts = dict.fromkeys(("valuesChanged", "occurrencesChanged", "rowsChanged", "formulasChanged"), 0)
    sheets = 0
    for area in _areas(book, given):
        before = counts["occurrencesChanged"]
        for row in range(area.top, min(area.end_row, len(area.sheet["rows"]))):
            found = _replaced_in(area, row, find, new, counts, formulas=bool(given.get("includeFormulas")))
            counts["rowsChanged"] += found
        sheets += counts["occurrencesChanged"] > before
    return {
        "findReplace": {key: value for key, value in {**counts, "sheetsChanged": sheets}.items() if value}
    }


def _replaced_in(
    area: Area, row: int, find: re.Pattern[str], new: str, counts: dict[str, int], *, formulas: bool
) -> bool:
    cells, is_changed = area.sheet["rows"][row], False
    for column in range(area.left, min(area.end_column, len(cells))):
        cell = cells[column]
        is_formula = isinstance(cell, dict) and "f" in cell
        if is_empty(cell) or (is_formula and not formulas):
            continue
        text, times = find.subn(lambda _: new, shown(as_entered(cell)))
        if times:
            cells[column] = entered(text)
            counts["occurrencesChanged"] += times
            counts["formulasChanged" if is_formula else "valuesChanged"] += 1
            is_changed = True
    return is_changed


def _cut_rows(area: Area) -> list[list[Any]]:
    return [
        [cell_at(area.sheet, row, column) for column in range(area.left, area.end_column)]
        for row in range(area.top, min(area.end_row, len(area.sheet["rows"])))
    ]


def _put_rows(area: Area, rows: list[list[Any]]) -> None:
    for down in range(min(area.end_row, len(area.sheet["rows"])) - area.top):
        for across in range(area.end_column - area.left):
            put(
                area.sheet,
                area.top + down,
                area.left + across,
                rows[down][across] if down < len(rows) else "",
            )


def _column(area: Area, column: int) -> int:
    """Return where a column of the sheet is in a range."""
    if not area.left <= column < area.end_column:
        raise refused(f"The column {column} is outside of the range.")
    return column - area.left


def _sort(book: Row, given: Row) -> Row:
    area = grid_area(book, given.get("range", {}))
    rows = _cut_rows(area)
    for spec in reversed(given.get("sortSpecs", [])):
        place = _column(area, spec.get("dimensionIndex", 0))
        is_down = spec.get("sortOrder") == "DESCENDING"
        filled = [row for row in rows if not is_empty(row[place])]
        empty = [row for row in rows if is_empty(row[place])]
        rows = sorted(filled, key=lambda row: _order(row[place]), reverse=is_down) + empty
    _put_rows(area, rows)
    return {}


def _order(cell: Any) -> tuple[int, Any]:
    value = value_of(cell)
    return (0, value) if isinstance(value, int | float) else (1, str(value).lower())


def _duplicates(book: Row, given: Row) -> Row:
    area = grid_area(book, given.get("range", {}))
    spans = given.get("comparisonColumns", [])
    columns = [_column(area, c) for span in spans for c in range(span.get("startIndex", 0), span["endIndex"])]
    seen: set[str] = set()
    kept: list[list[Any]] = []
    rows = _cut_rows(area)
    for row in rows:
        key = repr([str(as_entered(row[c])).lower() for c in columns or range(len(row))])
        if key not in seen:
            seen.add(key)
            kept.append(row)
    _put_rows(area, kept)
    return {"deleteDuplicates": {"duplicatesRemovedCount": len(rows) - len(kept)}}


def _trim(book: Row, given: Row) -> Row:
    area, count = grid_area(book, given.get("range", {})), 0
    rows = _cut_rows(area)
    for row in rows:
        for place, cell in enumerate(row):
            if isinstance(cell, str) and " ".join(cell.split()) != cell:
                row[place] = " ".join(cell.split())
                count += 1
    _put_rows(area, rows)
    return {"trimWhitespace": {"cellsChangedCount": count}}


def _grid(area: Area) -> Row:
    return {
        **{
            "sheetId": area.sheet["properties"]["sheetId"],
            "startRowIndex": area.top,
            "endRowIndex": area.end_row,
        },
        **{"startColumnIndex": area.left, "endColumnIndex": area.end_column},
    }


def _merge(book: Row, given: Row) -> Row:
    area = grid_area(book, given.get("range", {}))
    whole, kind = _grid(area), given.get("mergeType")
    if kind == "MERGE_ROWS":
        rows = range(area.top, area.end_row)
        new = [{**whole, "startRowIndex": row, "endRowIndex": row + 1} for row in rows]
    elif kind == "MERGE_COLUMNS":
        columns = range(area.left, area.end_column)
        new = [{**whole, "startColumnIndex": one, "endColumnIndex": one + 1} for one in columns]
    else:
        new = [whole]
    area.sheet["merges"] = [*_others(area), *new]
    return {}


def _unmerge(book: Row, given: Row) -> Row:
    area = grid_area(book, given.get("range", {}))
    area.sheet["merges"] = _others(area)
    return {}


def _others(area: Area) -> list[Row]:
    """Return the merges outside of a place.

    Raises:
        GoogleRefusal: one is in it, but only in part.
    """
    whole = _grid(area)
    near = [one for one in area.sheet.get("merges", []) if _overlap(whole, one)]
    starts, ends = ("startRowIndex", "startColumnIndex"), ("endRowIndex", "endColumnIndex")
    for one in near:
        if any(one[start] < whole[start] for start in starts) or any(one[end] > whole[end] for end in ends):
            raise refused("You must select all cells in a merged range to merge or unmerge them.")
    return [one for one in area.sheet.get("merges", []) if one not in near]


def _overlap(one: Row, other: Row) -> bool:
    pairs = (("startRowIndex", "endRowIndex"), ("startColumnIndex", "endColumnIndex"))
    return all(one[start] < other[end] and other[start] < one[end] for start, end in pairs)


def _set_filter(book: Row, given: Row) -> Row:
    new = given.get("filter", {})
    grid_area(book, new.get("range", {})).sheet["basicFilter"] = new
    return {}


def _clear_filter(book: Row, given: Row) -> Row:
    sheet_of(book["sheets"], given.get("sheetId", 0)).pop("basicFilter", None)
    return {}


CELLS: Final[Mapping[str, Request]] = {
    "clearBasicFilter": _clear_filter,
    "deleteDuplicates": _duplicates,
    "findReplace": _replace,
    "mergeCells": _merge,
    "setBasicFilter": _set_filter,
    "sortRange": _sort,
    "trimWhitespace": _trim,
    "unmergeCells": _unmerge,
}
