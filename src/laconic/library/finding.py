"""Finding: the places of one item that hold a text as it is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from laconic.stores import Item
from laconic.text import find_literal

__all__ = ["FIELDS", "ItemPlace", "places_in"]

FIELDS = ("content", "title", "description")


class ItemPlace(NamedTuple):
    """A place: its line in the content, with the lines around it, or a whole other field."""

    field: str
    line: int | None
    context: str


def places_in(
    item: Item, text: str, fields: Iterable[str], *, case_sensitive: bool = False, context: int = 2
) -> list[ItemPlace]:
    """Return the places in these fields, field by field; each field counts once."""
    values = {"content": item.body, "title": item.title, "description": item.description}
    found = []
    for name in dict.fromkeys(fields):
        value = values[name] or ""
        hits = find_literal(value, text, case_sensitive=case_sensitive, context=context)
        is_content = name == "content"
        found += [
            ItemPlace(name, hit.line, hit.context) if is_content else ItemPlace(name, None, value)
            for hit in hits
        ]
    return found
