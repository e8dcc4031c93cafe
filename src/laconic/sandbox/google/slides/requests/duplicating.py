"""Requests that duplicate slides and elements, with ids of their own."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from laconic.sandbox.google.decks.objects import Editing, element_of, elements, ids, new_id, refused
from laconic.sandbox.google.slides.requests import SlideRequest

__all__ = ["DUPLICATING"]

Row = dict[str, Any]


def _duplicate(editing: Editing, given: Row) -> Row:
    deck, id = editing.deck, given.get("objectId", "")
    wanted: dict[str, str] = given.get("objectIds", {})
    taken = ids(deck)
    for key in wanted:
        if key not in taken:
            raise refused(f"The object ({key}) could not be found.")
    slide = next((one for one in deck["slides"] if one["objectId"] == id), None)
    if slide is not None:
        new = deepcopy(slide)
        _renamed(deck, new, wanted)
        deck["slides"].insert(deck["slides"].index(slide) + 1, new)
    else:
        place = element_of(deck, id)
        new = deepcopy(place.element)
        _renamed(deck, new, wanted)
        new.get("shape", {}).pop("placeholder", None)
        place.among.insert(place.among.index(place.element) + 1, new)
    return {"duplicateObject": {"objectId": new["objectId"]}}


def _renamed(deck: Row, new: Row, wanted: Mapping[str, str]) -> None:
    """Give a copy, and all that is in it, ids of its own."""
    if "pageElements" in new:
        notes = new["slideProperties"]["notesPage"]
        owners = [new, notes, *(one.element for page in (new, notes) for one in elements(page))]
    else:
        owners = [place.element for place in elements({"pageElements": [new]})]
    names: dict[str, str] = {}
    for one in owners:
        asked = wanted.get(one["objectId"])
        if asked in names.values():
            raise refused(f"The object ID ({asked}) should be unique among all pages and page elements.")
        names[one["objectId"]] = new_id(deck, asked)
    for one in owners:
        one["objectId"] = names[one["objectId"]]
        for end in ("startConnection", "endConnection"):
            link = one.get("line", {}).get("lineProperties", {}).get(end)
            if link:
                link["connectedObjectId"] = names.get(link["connectedObjectId"], link["connectedObjectId"])
        if "notesProperties" in one:
            old = one["notesProperties"]["speakerNotesObjectId"]
            one["notesProperties"]["speakerNotesObjectId"] = names.get(old) or new_id(deck, wanted.get(old))


DUPLICATING: Final[Mapping[str, SlideRequest]] = {"duplicateObject": _duplicate}
