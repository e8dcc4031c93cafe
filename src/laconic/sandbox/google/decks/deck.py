"""Decks: presentations as they are kept, made, copied and shown."""

from __future__ import annotations

from copy import deepcopy
from hashlib import sha256
from typing import Any

from laconic.sandbox.google.decks.flow import Flow
from laconic.sandbox.google.decks.layouts import PAGE, layouts, length, master, notes_master
from laconic.sandbox.google.decks.objects import elements, new_id
from laconic.sandbox.state import State

__all__ = ["copy_deck", "new_deck", "new_slide", "revision_of", "text_of"]

Row = dict[str, Any]


def new_deck(state: State, id: str, title: str) -> Row:
    """Add a presentation with a title slide."""
    width, height = PAGE
    deck: Row = {
        "id": id,
        "presentationId": id,
        "title": title,
        "locale": "en",
        "pageSize": {"width": length(width), "height": length(height)},
        "slides": [],
        "masters": [master()],
        "layouts": layouts(),
        "notesMaster": notes_master(),
        "presets": {},
        "comments": [],
    }
    slide = new_slide(deck, deck["layouts"][0], "p", ["i0", "i1"])
    deck["slides"].append(slide)
    state.rows("decks")[id] = deck  # type: ignore[index]  # by text
    return deck


def new_slide(deck: Row, layout: Row, id: str, inner: list[str]) -> Row:
    """Return a slide with the placeholders of a layout, whose ids are given."""
    copied = []
    for own, one in zip(inner, layout["pageElements"], strict=True):
        new = deepcopy(one)
        new["objectId"] = own
        new["shape"]["placeholder"]["parentObjectId"] = one["objectId"]
        copied.append(new)
    about = layout["layoutProperties"]
    properties = {
        "layoutObjectId": layout["objectId"],
        "masterObjectId": about["masterObjectId"],
        "notesPage": new_notes(deck),
    }
    return {
        "objectId": id,
        "pageType": "SLIDE",
        "pageElements": copied,
        "pageProperties": {"pageBackgroundFill": {"propertyState": "INHERIT"}},
        "slideProperties": properties,
    }


def new_notes(deck: Row) -> Row:
    """Return a page for notes; the shape for them comes with the first text."""
    return {
        "objectId": new_id(deck),
        "pageType": "NOTES",
        "pageElements": [],
        "pageProperties": {"pageBackgroundFill": {"propertyState": "INHERIT"}},
        "notesProperties": {"speakerNotesObjectId": new_id(deck)},
    }


def copy_deck(state: State, source: str, id: str, title: str) -> None:
    """Add a copy of a presentation."""
    old = state.rows("decks").get(source)  # type: ignore[call-overload]  # by text
    if old is None:
        new_deck(state, id, title)
        return
    new = {**deepcopy(old), "id": id, "presentationId": id, "title": title, "comments": []}
    state.rows("decks")[id] = new  # type: ignore[index]  # by text


def revision_of(row: Row) -> str:
    """Return the name of a presentation's present state."""
    return sha256(f"{row['id']} {row['version']}".encode()).hexdigest()[:20]


def text_of(deck: Row) -> str:
    """Return all text of the slides, one paragraph per line."""
    found = []
    for slide in deck["slides"]:
        for place in elements(slide):
            one = place.element
            found += [Flow(one["shape"].get("text")).text] if "shape" in one else []
            for line in one.get("table", {}).get("tableRows", []):
                found.append("\t".join(Flow(cell.get("text")).text for cell in line["tableCells"]))
        found.append("")
    return "\n".join(found)
