"""Rendering: the values of a place, as people see them, as they are, or as formulas."""

from __future__ import annotations

from typing import Any

from laconic.sandbox.google.books.a1 import Area
from laconic.sandbox.google.books.book import Row, cell_at
from laconic.sandbox.google.books.cells import as_entered, is_empty, shown, value_of
from laconic.sandbox.google.books.formulas import evaluated

__all__ = ["cell_value", "rendered"]


def rendered(
    book: Row, area: Area, option: str = "FORMATTED_VALUE", dates: str = "SERIAL_NUMBER"
) -> list[list[Any]]:
    """Return the rows of a place; empty cells and rows at the ends are left out."""
    rows: list[list[Any]] = []
    last = min(area.end_row, len(area.sheet["rows"]))
    for row in range(area.top, last):
        cells = area.sheet["rows"][row][area.left : area.end_column]
        line = [_rendered(book, area.sheet, cell, option, dates) for cell in cells]
        while line and line[-1] == "":
            line.pop()
        rows.append(line)
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _rendered(book: Row, sheet: Row, cell: Any, option: str, dates: str) -> Any:
    if is_empty(cell):
        return ""
    if option == "FORMULA":
        return as_entered(cell)
    value, pattern = _value(book, sheet, cell)
    is_day = pattern == "yyyy-mm-dd"
    if option == "UNFORMATTED_VALUE" and not (is_day and dates == "FORMATTED_STRING"):
        return value
    return shown(value, pattern)


def _value(book: Row, sheet: Row, cell: Any) -> tuple[Any, str]:
    if not isinstance(cell, dict):
        return cell, ""
    value = evaluated(book, sheet, cell["f"]) if "f" in cell else value_of(cell)
    return value, cell.get("pattern", "")


def cell_value(book: Row, sheet: Row, row: int, column: int) -> Any:
    """Return the bare value of a cell."""
    return _value(book, sheet, cell_at(sheet, row, column))[0]
