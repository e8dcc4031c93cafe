"""Looks: the formats of cells, and the sizes of rows and columns, beside what is in the cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["format_at", "layers", "metadata_of", "put_format", "span_moved"]

Row = dict[str, Any]


def layers(sheet: Row) -> Iterator[tuple[list[list[Any]], Any]]:
    """Yield the grids of a sheet, contents and formats, each with what an empty cell has there."""
    yield sheet["rows"], ""
    yield sheet.setdefault("formats", []), None


def format_at(sheet: Row, row: int, column: int) -> Row:
    """Return the format of a cell."""
    rows = sheet.get("formats", [])
    return (rows[row][column] if row < len(rows) and column < len(rows[row]) else None) or {}


def put_format(sheet: Row, row: int, column: int, format: Row) -> None:
    """Set the format of a cell."""
    rows = sheet.setdefault("formats", [])
    rows += [[] for _ in range(row + 1 - len(rows))]
    rows[row] += [None] * (column + 1 - len(rows[row]))
    rows[row][column] = format or None


def metadata_of(sheet: Row, kind: str) -> list[Row]:
    """Return what is known about rows or columns, as many as somebody has set."""
    found: list[Row] = sheet.setdefault("sizes", {}).setdefault(kind, [])
    return found


def span_moved(line: list[Any], start: int, end: int, to: int, empty: Any) -> None:
    """Move a part of a line before another place, which is counted as it is before."""
    line += [empty() if callable(empty) else empty for _ in range(max(end, to) - len(line))]
    part = line[start:end]
    del line[start:end]
    place = to - len(part) if to > start else to
    line[place:place] = part
