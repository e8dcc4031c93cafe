"""Objects: pages and what is on them, by their ids, which are unique in a presentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from laconic.sandbox.google.answering import AskedGoogle
from laconic.sandbox.google.refusals import GoogleRefusal

__all__ = ["Editing", "Place", "check_id", "element_of", "elements", "new_id", "page_of", "pages", "refused"]

Row = dict[str, Any]
_ID: Final = re.compile(r"\w[\w:-]{4,49}", re.ASCII)


@dataclass(frozen=True)
class Editing:
    """A presentation that is being changed, and who asked for it."""

    deck: Row
    asked: AskedGoogle


@dataclass(frozen=True)
class Place:
    """An element, the page that it is on, and the list that it is in."""

    element: Row
    page: Row
    among: list[Row]

    @property
    def is_grouped(self) -> bool:
        """True if it is in a group."""
        return self.among is not self.page["pageElements"]


def refused(text: str) -> GoogleRefusal:
    """Return the refusal of a request."""
    return GoogleRefusal(400, "badRequest", text)


def pages(deck: Row) -> Iterator[Row]:
    """Yield all pages: slides, their notes, layouts and masters."""
    for slide in deck["slides"]:
        yield slide
        yield slide["slideProperties"]["notesPage"]
    yield from deck["layouts"]
    yield from deck["masters"]
    yield deck["notesMaster"]


def elements(page: Row) -> Iterator[Place]:
    """Yield everything on a page, also what is in groups."""
    yield from _within(page, page["pageElements"])


def _within(page: Row, among: list[Row]) -> Iterator[Place]:
    for one in list(among):
        yield Place(one, page, among)
        if "elementGroup" in one:
            yield from _within(page, one["elementGroup"]["children"])


def ids(deck: Row) -> set[str]:
    """Return all ids that are taken."""
    found = set()
    for page in pages(deck):
        found.add(page["objectId"])
        found.update(place.element["objectId"] for place in elements(page))
        notes = page.get("notesProperties", {}).get("speakerNotesObjectId")
        found.update([notes] if notes else [])
    return found


def new_id(deck: Row, wanted: str | None = None) -> str:
    """Return an id for a new object: the one that is wanted, if it may be used, or one of our own."""
    if wanted:
        check_id(deck, wanted)
        return wanted
    deck["made"] = deck.get("made", 0) + 1
    return f"SLIDES_API{deck['made']}_0"


def check_id(deck: Row, id: str) -> None:
    """Refuse an id that is malformed or taken."""
    if not _ID.fullmatch(id):
        text = (
            f"The object ID ({id}) must start with a letter, digit or underscore, continue with those, "
            "hyphens or colons, and be 5 to 50 characters long."
        )
        raise refused(text)
    if id in ids(deck):
        raise refused(
            f"The object ID ({id}) should be unique among all pages and page elements in the presentation."
        )


def page_of(deck: Row, id: str) -> Row:
    """Return a page."""
    for page in pages(deck):
        if page["objectId"] == id:
            return page
    raise refused(f"The page ({id}) could not be found.")


def element_of(deck: Row, id: str, kind: str = "") -> Place:
    """Return an element, which must be of a kind if one is named."""
    for page in pages(deck):
        for place in elements(page):
            if place.element["objectId"] == id:
                if kind and kind not in place.element:
                    raise refused(f"The object ({id}) is not a {kind}.")
                return place
    raise refused(f"The object ({id}) could not be found.")
