"""Grids: rows and columns of a table, and which cells are merged into which."""

from __future__ import annotations

from collections.abc import Iterator

from laconic.sandbox.google.papers.blocks import cell
from laconic.sandbox.google.papers.places import end_of
from laconic.sandbox.google.papers.runs import Row

__all__ = [
    "Corner",
    "cell_starts",
    "covers",
    "heads",
    "narrowed",
    "row_size",
    "row_starts",
    "spread",
]

Corner = tuple[int, int]  # a row and a column


def _spans(one: Row) -> Corner:
    """Return how many rows and columns a cell spans."""
    return one["style"].get("rowSpan", 1), one["style"].get("columnSpan", 1)


def heads(table: Row) -> Iterator[tuple[Corner, Corner]]:
    """Yield where each merged cell begins, and how many rows and columns it spans."""
    for number, row in enumerate(table["rows"]):
        for column, one in enumerate(row["cells"]):
            if _spans(one) != (1, 1):
                yield (number, column), _spans(one)


def covers(table: Row, row: int, column: int) -> tuple[Corner, Corner]:
    """Return the merged cell that covers a place: where it begins, and what it spans."""
    for (top, left), (rows, columns) in heads(table):
        if top <= row < top + rows and left <= column < left + columns:
            return (top, left), (rows, columns)
    return (row, column), (1, 1)


def row_size(row: Row) -> int:
    """Return how many units a row takes."""
    return 1 + sum(1 + end_of(one["blocks"]) for one in row["cells"])


def row_starts(table: Row, start: int) -> list[int]:
    """Return where each row begins, and where the last one ends."""
    found = [start + 1]
    for row in table["rows"]:
        found.append(found[-1] + row_size(row))
    return found


def cell_starts(row: Row, start: int) -> list[int]:
    """Return where each cell of a row begins, and where the last one ends."""
    found = [start + 1]
    for one in row["cells"]:
        found.append(found[-1] + 1 + end_of(one["blocks"]))
    return found


def spread(table: Row, at: int, axis: int) -> list[Row]:
    """Return rows in which what is merged across a line, that gets something inserted, spans one more."""
    rows = [{**row, "cells": list(row["cells"])} for row in table["rows"]]
    for corner, size in heads(table):
        if corner[axis] < at < corner[axis] + size[axis]:
            name = ("rowSpan", "columnSpan")[axis]
            old = rows[corner[0]]["cells"][corner[1]]
            rows[corner[0]]["cells"][corner[1]] = {**old, "style": {**old["style"], name: size[axis] + 1}}
    return rows


def narrowed(table: Row, at: int, count: int, axis: int) -> list[Row]:
    """Return rows in which what is merged across rows or columns, that go, spans less.

    A merged cell whose first row or column goes begins at what is left of it.
    """
    rows = [{**row, "cells": list(row["cells"])} for row in table["rows"]]
    for corner, size in heads(table):
        first, last = corner[axis], corner[axis] + size[axis]
        lost = min(last, at + count) - max(first, at)
        if lost <= 0 or lost == size[axis]:
            continue
        old = rows[corner[0]]["cells"][corner[1]]
        style = {**old["style"], ("rowSpan", "columnSpan")[axis]: size[axis] - lost}
        place = list(corner)
        if at <= first:
            place[axis] = at + count
            rows[corner[0]]["cells"][corner[1]] = cell()
        rows[place[0]]["cells"][place[1]] = {**old, "style": style}
    return rows
