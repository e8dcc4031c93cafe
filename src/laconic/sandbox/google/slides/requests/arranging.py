"""Requests about where elements are: transforms, order, groups, and the way of lines."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

from laconic.sandbox.google.decks.geometry import applied, box, checked_transform
from laconic.sandbox.google.decks.layouts import length
from laconic.sandbox.google.decks.objects import Editing, Place, element_of, new_id, refused
from laconic.sandbox.google.slides.requests import SlideRequest

__all__ = ["ARRANGING"]

Row = dict[str, Any]
_TYPES: Final = {
    "STRAIGHT": "STRAIGHT_CONNECTOR_1",
    "BENT": "BENT_CONNECTOR_3",
    "CURVED": "CURVED_CONNECTOR_3",
}


def _transform(editing: Editing, given: Row) -> Row:
    element = element_of(editing.deck, given.get("objectId", "")).element
    new, mode = checked_transform(given.get("transform", {})), given.get("applyMode", "")
    if mode not in ("RELATIVE", "ABSOLUTE"):
        raise refused("The apply mode must be specified.")
    whole = applied(new, element.get("transform", {})) if mode == "RELATIVE" else new
    if "table" in element and (whole.get("scaleX") != 1 or whole.get("scaleY") != 1 or whole.get("shearX")):
        raise refused("The transform of a table must have a scale of 1 and no shear components.")
    element["transform"] = whole
    return {}


def _on_one_page(editing: Editing, ids: list[str]) -> list[Place]:
    found = [element_of(editing.deck, id) for id in ids]
    if not found or len(set(ids)) != len(ids):
        raise refused("The object IDs must be given, without duplicates.")
    if any(one.page is not found[0].page for one in found):
        raise refused("The page elements must all be on the same page.")
    if any(one.is_grouped for one in found):
        raise refused("The page elements must not be in a group.")
    return sorted(
        found, key=lambda one: next(at for at, other in enumerate(one.among) if other is one.element)
    )


def _order(editing: Editing, given: Row) -> Row:
    places = _on_one_page(editing, given.get("pageElementObjectIds", []))
    among, chosen = places[0].among, [one.element for one in places]
    at = [next(n for n, other in enumerate(among) if other is one) for one in chosen]
    rest = [one for one in among if not any(one is other for other in chosen)]
    match given.get("operation", ""):
        case "BRING_TO_FRONT":
            start = len(rest)
        case "SEND_TO_BACK":
            start = 0
        case "BRING_FORWARD":
            start = min(at[-1] + 2 - len(chosen), len(rest))
        case "SEND_BACKWARD":
            start = max(at[0] - 1, 0)
        case _:
            raise refused("The operation must be specified.")
    among[:] = [*rest[:start], *chosen, *rest[start:]]
    return {}


def _group(editing: Editing, given: Row) -> Row:
    places = _on_one_page(editing, given.get("childrenObjectIds", []))
    if len(places) < 2:
        raise refused("There should be at least two page elements to group.")
    for one in places:
        element = one.element
        if "table" in element or "video" in element or "placeholder" in element.get("shape", {}):
            raise refused(f"The object ({element['objectId']}) cannot be grouped.")
    among, children = places[0].among, [one.element for one in places]
    group = {
        "objectId": new_id(editing.deck, given.get("groupObjectId")),
        "transform": {"scaleX": 1, "scaleY": 1, "unit": "EMU"},
        "elementGroup": {"children": children},
    }
    last = next(at for at, one in enumerate(among) if one is children[-1])
    among[last] = group
    among[:] = [one for one in among if not any(one is child for child in children)]
    return {"groupObjects": {"objectId": group["objectId"]}}


def _ungroup(editing: Editing, given: Row) -> Row:
    for place in _on_one_page(editing, given.get("objectIds", [])):
        group = place.element
        if "elementGroup" not in group:
            raise refused(f"The object ({group['objectId']}) is not a group.")
        children = group["elementGroup"]["children"]
        for one in children:
            one["transform"] = applied(group["transform"], one["transform"])
        at = next(n for n, one in enumerate(place.among) if one is group)
        place.among[at : at + 1] = children
    return {}


def _category(editing: Editing, given: Row) -> Row:
    line, kind = (
        element_of(editing.deck, given.get("objectId", ""), "line").element["line"],
        given.get("lineCategory"),
    )
    if kind not in _TYPES:
        raise refused("The line category must be specified.")
    line |= {"lineCategory": kind, "lineType": _TYPES[kind]}
    return {}


def _sites(element: Row) -> list[tuple[float, float]]:
    """Return where lines can be connected: above, left, below and right."""
    left, top, right, bottom = box(element)
    across, down = (left + right) / 2, (top + bottom) / 2
    return [(across, top), (left, down), (across, bottom), (right, down)]


def _reroute(editing: Editing, given: Row) -> Row:
    element = element_of(editing.deck, given.get("objectId", ""), "line").element
    properties = element["line"]["lineProperties"]
    ends = [properties.get(name, {}) for name in ("startConnection", "endConnection")]
    if not all(one.get("connectedObjectId") for one in ends):
        raise refused(f"The line ({element['objectId']}) is not connected at both ends.")
    sites = [_sites(element_of(editing.deck, one["connectedObjectId"]).element) for one in ends]
    pairs = product(range(4), range(4))
    best = min(pairs, key=lambda pair: _distance(sites[0][pair[0]], sites[1][pair[1]]))
    for one, site in zip(ends, best, strict=True):
        one["connectionSiteIndex"] = site
    (x1, y1), (x2, y2) = sites[0][best[0]], sites[1][best[1]]
    element["size"] = {"width": length(abs(x2 - x1)), "height": length(abs(y2 - y1))}
    flip = {"scaleX": 1 if x2 >= x1 else -1, "scaleY": 1 if y2 >= y1 else -1}
    element["transform"] = {**flip, "translateX": x1, "translateY": y1, "unit": "EMU"}
    return {}


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


ARRANGING: Final[Mapping[str, SlideRequest]] = {
    "groupObjects": _group,
    "rerouteLine": _reroute,
    "ungroupObjects": _ungroup,
    "updateLineCategory": _category,
    "updatePageElementTransform": _transform,
    "updatePageElementsZOrder": _order,
}
