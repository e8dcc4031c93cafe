"""Spreadsheets: their sheets, rows of values, and what a write changed."""

from collections.abc import Callable, Mapping
from datetime import date

from pydantic import Field

from laconic.kit import Record, line_start

Cell = str | int | float | bool | None
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class SheetRow(Record, key="row", noun="row", formats={"full": ("range", "cells")}):
    """A row of a sheet."""

    row: int
    range: str  # the sheet and columns that it is of
    cells: list[Cell]
    is_first: bool = Field(default=False, exclude=True)  # of its range, so that its line names the range

    def write_row(self, format: str | None, day: Callable[[date], str]) -> Mapping[str, str]:
        """Return its number, and its cells between tabs."""
        row = f"{line_start(self.range)}\n{self.row}" if self.is_first else str(self.row)
        return {"row": row, "cells": "\t".join(map(cell_text, self.cells))}


def cell_text(cell: Cell) -> str:
    """Return a value as text; one that would be misread, such as the text "12", is in quotes."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if not isinstance(cell, str):
        return "" if cell is None else f"{cell:.15g}" if isinstance(cell, float) else str(cell)
    needs_quotes = any(sign in cell for sign in "\t\n\r") or cell != cell.strip() or cell.startswith('"')
    if not needs_quotes:
        return cell
    for sign, written in _ESCAPES.items():
        cell = cell.replace(sign, written)
    return f'"{cell}"'
