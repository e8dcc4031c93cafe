"""Requests about slides and pages: create, delete, move, and how they look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.sandbox.google.decks.deck import new_slide
from laconic.sandbox.google.decks.flow import Flow
from laconic.sandbox.google.decks.objects import (
    Editing,
    check_id,
    element_of,
    elements,
    new_id,
    page_of,
    pages,
    refused,
)
from laconic.sandbox.google.slides.masks import update
from laconic.sandbox.google.slides.requests import SlideRequest

__all__ = ["PAGES"]

Row = dict[str, Any]


def _create_slide(editing: Editing, given: Row) -> Row:
    deck = editing.deck
    reference = given.get("slideLayoutReference", {})
    layout = _layout(deck, reference)
    mappings = given.get("placeholderIdMappings", [])
    if mappings and not reference:
        raise refused("The placeholder ID mappings can only be used when the slide layout is specified.")
    id = new_id(deck, given.get("objectId"))
    wanted = _mapped(layout, mappings)
    for one in wanted.values():
        check_id(deck, one)
    if len({id, *wanted.values()}) != len(wanted) + 1:
        raise refused(f"The object ID ({id}) should be unique among all pages and page elements.")
    inner = [wanted.get(one["objectId"]) or new_id(deck) for one in layout["pageElements"]]
    index = given.get("insertionIndex", len(deck["slides"]))
    if not 0 <= index <= len(deck["slides"]):
        raise refused(
            f"The insertion index ({index}) is out of bounds: there are {len(deck['slides'])} slides."
        )
    deck["slides"].insert(index, new_slide(deck, layout, id, inner))
    return {"createSlide": {"objectId": id}}


def _layout(deck: Row, reference: Row) -> Row:
    name = reference.get("predefinedLayout") or ("" if reference.get("layoutId") else "BLANK")
    for one in deck["layouts"]:
        if one["objectId"] == reference.get("layoutId") or one["layoutProperties"]["name"] == name:
            found: Row = one
            return found
    raise refused(
        f"The layout ({reference.get('layoutId') or name}) could not be found in the current master."
    )


def _mapped(layout: Row, mappings: list[Row]) -> dict[str, str]:
    """Return the ids that placeholders get, by the ids of those on the layout."""
    found: dict[str, str] = {}
    for mapping in mappings:
        wanted = mapping.get("layoutPlaceholder", {})
        for one in layout["pageElements"]:
            own = one["shape"]["placeholder"]
            is_same = own["type"] == wanted.get("type") and own.get("index", 0) == wanted.get("index", 0)
            if is_same or one["objectId"] == mapping.get("layoutPlaceholderObjectId"):
                if "objectId" in mapping:
                    found[one["objectId"]] = mapping["objectId"]
                break
        else:
            raise refused(
                f"The layout has no placeholder {wanted or mapping.get('layoutPlaceholderObjectId')}."
            )
    return found


def _delete(editing: Editing, given: Row) -> Row:
    deck, id = editing.deck, given.get("objectId", "")
    for page in pages(deck):
        if page["objectId"] == id:
            _delete_page(deck, page)
            return {}
    place = element_of(deck, id)
    place.among.remove(place.element)
    if place.page["pageType"] == "LAYOUT":
        _delete_heirs(deck, id)
    if place.is_grouped:
        _tidy_groups(place.page["pageElements"])
    return {}


def _delete_page(deck: Row, page: Row) -> None:
    kind = page["pageType"]
    if kind == "SLIDE":
        deck["slides"].remove(page)
        return
    used = [one["slideProperties"]["layoutObjectId"] for one in deck["slides"]]
    if kind != "LAYOUT" or page["objectId"] in used:
        raise refused(f"The page ({page['objectId']}) cannot be deleted.")
    deck["layouts"].remove(page)


def _delete_heirs(deck: Row, parent: str) -> None:
    for slide in deck["slides"]:
        for place in elements(slide):
            shape = place.element.get("shape", {})
            is_heir = shape.get("placeholder", {}).get("parentObjectId") == parent
            if is_heir and Flow(shape.get("text")).length == 0:
                place.among.remove(place.element)


def _tidy_groups(among: list[Row]) -> None:
    """Dissolve groups of which one element, or none, is left."""
    for place, one in reversed(list(enumerate(among))):
        if "elementGroup" in one:
            children = one["elementGroup"]["children"]
            _tidy_groups(children)
            if len(children) < 2:
                among[place : place + 1] = children


def _move(editing: Editing, given: Row) -> Row:
    slides, moved = editing.deck["slides"], given.get("slideObjectIds", [])
    places = [next((at for at, one in enumerate(slides) if one["objectId"] == id), -1) for id in moved]
    if -1 in places:
        raise refused(f"The page ({moved[places.index(-1)]}) could not be found.")
    if not moved or places != sorted(set(places)):
        raise refused("The slides must be in existing presentation order, without duplicates.")
    index = given.get("insertionIndex", 0)
    if not 0 <= index <= len(slides):
        raise refused(f"The insertion index ({index}) is out of bounds: there are {len(slides)} slides.")
    chosen = [slides[at] for at in places]
    before = [one for one in slides[:index] if one not in chosen]
    after = [one for one in slides[index:] if one not in chosen]
    slides[:] = [*before, *chosen, *after]
    return {}


def _slide_properties(editing: Editing, given: Row) -> Row:
    page = page_of(editing.deck, given.get("objectId", ""))
    if page["pageType"] != "SLIDE":
        raise refused(f"The page ({page['objectId']}) is not a slide.")
    new = given.get("slideProperties", {})
    update(page["slideProperties"], new, given.get("fields", ""), "SlideProperties")
    return {}


def _page_properties(editing: Editing, given: Row) -> Row:
    page = page_of(editing.deck, given.get("objectId", ""))
    update(page["pageProperties"], given.get("pageProperties", {}), given.get("fields", ""), "PageProperties")
    return {}


PAGES: Final[Mapping[str, SlideRequest]] = {
    "createSlide": _create_slide,
    "deleteObject": _delete,
    "updatePageProperties": _page_properties,
    "updateSlideProperties": _slide_properties,
    "updateSlidesPosition": _move,
}
