"""Requests that put an image or a chart in the place of something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from laconic.sandbox.google.decks.flow import Flow
from laconic.sandbox.google.decks.objects import Editing, element_of, elements, new_id
from laconic.sandbox.google.slides.requests import SlideRequest
from laconic.sandbox.google.slides.requests.elements import chart_of, image_of
from laconic.sandbox.google.slides.requests.texts import chosen_pages, pattern_of

__all__ = ["REPLACING"]

Row = dict[str, Any]


def _shapes(name: str, made: Callable[[Editing, Row], Row]) -> SlideRequest:
    """Return the request that replaces all shapes with a certain text."""

    def replace(editing: Editing, given: Row) -> Row:
        pattern, changed = pattern_of(given.get("containsText", {})), 0
        pages = chosen_pages(editing.deck, given.get("pageObjectIds", []), without=("NOTES", "NOTES_MASTER"))
        for page in pages:
            for place in elements(page):
                shape = place.element.get("shape")
                if shape is None or not pattern.search(Flow(shape.get("text")).text):
                    continue
                kept: Row = {key: place.element[key] for key in ("size", "transform") if key in place.element}
                at = next(n for n, one in enumerate(place.among) if one is place.element)
                place.among[at] = {"objectId": new_id(editing.deck), **kept, **made(editing, given)}
                changed += 1
        return {name: {"occurrencesChanged": changed} if changed else {}}

    return replace


def _image(editing: Editing, given: Row) -> Row:
    element = element_of(editing.deck, given.get("imageObjectId", ""), "image").element
    new = image_of(editing, given.get("url", ""))
    old = element["image"].get("imageProperties", {})
    kept = {key: value for key, value in old.items() if key in ("outline", "link")}
    element["image"] = {**element["image"], **new, "imageProperties": kept}
    return {}


def _refresh(editing: Editing, given: Row) -> Row:
    element = element_of(editing.deck, given.get("objectId", ""), "sheetsChart").element
    chart_of(editing, element["sheetsChart"])
    return {}


REPLACING: Final[Mapping[str, SlideRequest]] = {
    "refreshSheetsChart": _refresh,
    "replaceAllShapesWithImage": _shapes(
        "replaceAllShapesWithImage",
        lambda editing, given: {"image": image_of(editing, given.get("imageUrl", ""))},
    ),
    "replaceAllShapesWithSheetsChart": _shapes("replaceAllShapesWithSheetsChart", chart_of),
    "replaceImage": _image,
}
