"""Spreadsheets: their sheets, rows of values, and what a write changed."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Final

from pydantic import Field

from laconic.kit import Record, line_start

Cell = str | int | float | bool | None
_LIKE_A_VALUE: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|true|false", re.IGNORECASE)
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class SheetRow(Record, key="row", noun="row", formats={"full": ("range", "cells")}):
    """A row of a sheet."""

    row: int
    range: str  # the sheet and columns that it is of
    cells: list[Cell]
    is_first: bool = Field(default=False, exclude=True)  # of its range, so that its line names the range
    is_typed: bool = Field(default=False, exclude=True)  # numbers are numbers, not how they are shown

    def write_row(self, format: str | None, day: Callable[[date], str]) -> Mapping[str, str]:
        """Return its number, and its cells between tabs."""
        row = f"{line_start(self.range)}\n{self.row}" if self.is_first else str(self.row)
        return {"row": row, "cells": cells_text(self.cells, is_typed=self.is_typed)}


def cells_text(cells: Iterable[Cell], *, is_typed: bool = False) -> str:
    """Return values with tabs between them."""
    return "\t".join(cell_text(one, is_typed=is_typed) for one in cells)


def cell_text(cell: Cell, *, is_typed: bool = False) -> str:
    """Return a value as text; one that would be misread is in quotes, of typed values also the text "12"."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if not isinstance(cell, str):
        return "" if cell is None else f"{cell:.15g}" if isinstance(cell, float) else str(cell)
    needs_quotes = any(sign in cell for sign in "\t\n\r") or cell != cell.strip() or cell.startswith('"')
    if not needs_quotes and not (is_typed and _LIKE_A_VALUE.fullmatch(cell)):
        return cell
    for sign, written in _ESCAPES.items():
        cell = cell.replace(sign, written)
    return f'"{cell}"'
