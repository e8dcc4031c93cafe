"""Requests about how elements look: their properties, and alternative text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.sandbox.google.decks.objects import Editing, element_of, refused
from laconic.sandbox.google.slides.masks import update
from laconic.sandbox.google.slides.requests import SlideRequest

__all__ = ["LOOKS"]

Row = dict[str, Any]


def _properties(kind: str, type: str) -> SlideRequest:
    """Return the request that changes the properties of a kind of element."""
    name = f"{kind}Properties"

    def change(editing: Editing, given: Row) -> Row:
        place = element_of(editing.deck, given.get("objectId", ""), kind)
        new = given.get(name, {})
        if kind == "line":
            _check_ends(editing, place.page, new)
        update(place.element[kind][name], new, given.get("fields", ""), type)
        return {}

    return change


def _check_ends(editing: Editing, page: Row, new: Row) -> None:
    for end in ("startConnection", "endConnection"):
        id = new.get(end, {}).get("connectedObjectId")
        if id is not None:
            other = element_of(editing.deck, id)
            if other.page is not page or "line" in other.element:
                raise refused(f"A line cannot be connected to the object ({id}).")


def _alt_text(editing: Editing, given: Row) -> Row:
    element = element_of(editing.deck, given.get("objectId", "")).element
    element |= {name: given[name] for name in ("title", "description") if name in given}
    return {}


LOOKS: Final[Mapping[str, SlideRequest]] = {
    "updateImageProperties": _properties("image", "ImageProperties"),
    "updateLineProperties": _properties("line", "LineProperties"),
    "updatePageElementAltText": _alt_text,
    "updateShapeProperties": _properties("shape", "ShapeProperties"),
    "updateVideoProperties": _properties("video", "VideoProperties"),
}
