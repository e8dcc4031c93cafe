"""Columns: the cells of one field in all rows; what most columns are is found for all of them at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from itertools import chain
from types import NoneType
from typing import Any, Final

from laconic.kit.answers.cells import CellShape, cell
from laconic.kit.plain import jsonable

__all__ = ["column"]

_TEXTS: Final = CellShape("text", many=True)


def column(values: Sequence[Any], shape: CellShape, *, days: bool = False) -> list[str]:
    """Return the `cell` of each value, none of which begins its line."""
    kinds = set(map(type, values))
    kinds.discard(NoneType)
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is str and shape.kind == "text" and _are_plain(list(filter(None, values))):
        return list(values) if all(values) else ["" if value is None else value or '""' for value in values]
    if kind is list and shape == _TEXTS and _have_plain_items(values):
        return ["" if value is None else ",".join(value) or "[]" for value in values]
    if kind is int:
        return ["" if value is None else str(value) for value in values]
    if kind is date:
        return ["" if value is None else value.isoformat() for value in values]
    if kind is datetime:
        return ["" if value is None else jsonable(value, days=days) for value in values]
    return [cell(value, shape, days=days) for value in values]


def _are_plain(texts: Collection[str]) -> bool:
    """True if each of these texts can be read as it is: printable, not quoted, no space at an edge."""
    if not "".join(texts).isprintable():
        return False
    lines = "\n".join(["", *texts, ""])
    return not ('\n"' in lines or "\n " in lines or " \n" in lines or "\n\n" in lines)


def _have_plain_items(values: Sequence[list[Any] | None]) -> bool:
    """True if each item of these lists can be read as it is between commas."""
    all_items = list(chain.from_iterable(filter(None, values)))
    if not {str}.issuperset(map(type, all_items)):
        return False
    items = set(all_items)  # there are far fewer
    if "[]" in items or not _are_plain(items):
        return False
    text = "".join(items)
    return "," not in text and '"' not in text
