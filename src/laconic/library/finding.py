"""Finding: the places of one item that hold a text as it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, takewhile
from typing import Final, NamedTuple

from laconic.stores import Item
from laconic.text import find_literal

__all__ = ["FIELDS", "ItemPlace", "first_places", "places_in"]

FIELDS: Final = ("content", "title", "description")
_MOST: Final = 1_000  # places that are told at once
_LONGEST: Final = 1_000_000  # characters around them


class ItemPlace(NamedTuple):
    """A place: its line in the content, with the lines around it, or a whole other field."""

    field: str
    line: int | None
    context: str


def places_in(
    item: Item, text: str, fields: Iterable[str], *, case_sensitive: bool = False, context: int = 2
) -> list[ItemPlace]:
    """Return the places in these fields, field by field; a field that is named twice is searched once.

    Places in the same lines share their context: a long line with many of them is in memory once.
    """
    values = {"content": item.body, "title": item.title, "description": item.description}
    found: list[ItemPlace] = []
    for name in dict.fromkeys(fields):
        value = values[name] or ""
        hits = find_literal(value, text, case_sensitive=case_sensitive, context=0)
        if name == "content":
            around = _Around(value, text.count("\n"), context)
            found += [ItemPlace(name, hit.line, around[hit.line]) for hit in hits]
        else:
            found += [ItemPlace(name, None, value)] * len(hits)
    return found


def first_places(found: Sequence[ItemPlace]) -> Sequence[ItemPlace]:
    """Return as many of the first places as can be told at once: one at least."""
    sums = accumulate(len(place.context) for place in found[:_MOST])
    fitting = sum(1 for _ in takewhile(lambda length: length <= _LONGEST, sums))
    return found[: max(1, fitting)]


class _Around(dict[int, str]):
    """The lines around a place, by the line where it starts."""

    def __init__(self, text: str, more: int, context: int) -> None:
        super().__init__()
        self._lines = text.split("\n")
        self._after = more + context  # a place may have several lines
        self._before = context

    def __missing__(self, line: int) -> str:
        shown = self._lines[max(0, line - 1 - self._before) : line + self._after]
        return self.setdefault(line, "\n".join(shown))
