"""Columns: the cells of one field in all rows; what most columns are is found for all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from laconic.kit.answers.cells import CellShape, cell

__all__ = ["column"]

_EDGES: Final = ('\n"', "\n ", " \n", "\n\n")  # of printable lines: these are quoted as cells
_TEXTS: Final = CellShape("text", many=True)


def column(values: Sequence[Any], shape: CellShape, *, days: bool = False) -> list[str]:
    """Return the `cell` of each value, none of which begins its line."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {str} and shape.kind == "text" and _are_plain([value for value in values if value]):
        return ["" if value is None else value or '""' for value in values]
    if kinds == {list} and shape == _TEXTS and _have_plain_items(values):
        return ["" if value is None else ",".join(value) or "[]" for value in values]
    if kinds == {int}:
        return ["" if value is None else str(value) for value in values]
    if kinds == {date}:
        return ["" if value is None else value.isoformat() for value in values]
    return [cell(value, shape, days=days) for value in values]


def _are_plain(texts: Sequence[str]) -> bool:
    """True if each of these texts can be read as it is."""
    lines = "\n".join(["", *texts, ""])
    return "".join(texts).isprintable() and not any(edge in lines for edge in _EDGES)


def _have_plain_items(values: Sequence[list[Any] | None]) -> bool:
    """True if each item of these lists can be read as it is between commas."""
    items = [item for value in values if value for item in value]
    if any(type(item) is not str or item == "[]" for item in items) or not _are_plain(items):
        return False
    text = "".join(items)
    return "," not in text and '"' not in text
