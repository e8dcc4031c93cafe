"""The operations of Slides, by their names in the catalogue, and batches of requests."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle, Handler
from laconic.sandbox.google.decks.deck import new_deck, revision_of, text_of
from laconic.sandbox.google.decks.objects import Editing, elements, pages, refused
from laconic.sandbox.google.drive.changing import add_file, touch
from laconic.sandbox.google.drive.files import GOOGLE, files_of
from laconic.sandbox.google.refusals import GoogleRefusal, not_done
from laconic.sandbox.google.slides.opening import deck_of, shown
from laconic.sandbox.google.slides.requests import SlideRequest
from laconic.sandbox.google.slides.requests.arranging import ARRANGING
from laconic.sandbox.google.slides.requests.comments import COMMENTS
from laconic.sandbox.google.slides.requests.duplicating import DUPLICATING
from laconic.sandbox.google.slides.requests.elements import ELEMENTS
from laconic.sandbox.google.slides.requests.lists import LISTS
from laconic.sandbox.google.slides.requests.looks import LOOKS
from laconic.sandbox.google.slides.requests.pages import PAGES
from laconic.sandbox.google.slides.requests.replacing import REPLACING
from laconic.sandbox.google.slides.requests.tables import TABLES
from laconic.sandbox.google.slides.requests.texts import TEXTS
from laconic.sandbox.google.slides.thumbnails import thumbnail

__all__ = ["SLIDES", "SLIDE_KINDS", "slides_batch"]

Row = dict[str, Any]
SLIDE_KINDS: Final[Mapping[str, SlideRequest]] = {
    **{**ARRANGING, **COMMENTS, **DUPLICATING, **ELEMENTS, **LISTS, **LOOKS},
    **{**PAGES, **REPLACING, **TABLES, **TEXTS},
}


def slides_batch(asked: AskedGoogle) -> AnsweredGoogle:
    """Carry out all requests of a batch, or none."""
    deck, row = deck_of(asked, "writer")
    required = asked.body.get("writeControl", {}).get("requiredRevisionId")
    if required and required != revision_of(row):
        text = f"The required revision ID '{required}' does not match the latest revision."
        raise GoogleRefusal(400, "badRequest", text)
    draft = deepcopy(deck)
    editing, replies = Editing(draft, asked), list[Row]()
    for place, request in enumerate(asked.body.get("requests", [])):
        replies.append(_done(editing, place, request))
    deck |= draft
    row["text"] = text_of(deck)
    touch(asked, row)
    control = {"requiredRevisionId": revision_of(row)}
    answer = {"presentationId": row["id"], "replies": replies, "writeControl": control}
    kinds = {kind for request in asked.body.get("requests", []) for kind in request}
    saved = "ALL_SAVED" if kinds & COMMENTS.keys() else "NO_UPDATES_REQUESTED"
    return AnsweredGoogle({**answer, "commentUpdateState": saved})


def _done(editing: Editing, place: int, request: Row) -> Row:
    if len(request) != 1:
        raise GoogleRefusal(400, "badRequest", f"Invalid requests[{place}]: exactly one request is expected.")
    [(kind, given)] = request.items()
    if kind not in SLIDE_KINDS:
        raise not_done(f"slides.presentations.batchUpdate#{kind}")
    try:
        return SLIDE_KINDS[kind](editing, given)
    except GoogleRefusal as refusal:
        text = f"Invalid requests[{place}].{kind}: {refusal.message}"
        raise GoogleRefusal(400, refusal.reason, text) from None


def _create(asked: AskedGoogle) -> AnsweredGoogle:
    title = asked.body.get("title") or "Untitled presentation"
    id = asked.body.get("presentationId")
    if id and id in files_of(asked.state):
        raise GoogleRefusal(409, "alreadyExists", "The presentation ID is in use.")
    row = add_file(asked, {"name": title, "mimeType": f"{GOOGLE}presentation", **({"id": id} if id else {})})
    deck = new_deck(asked.state, row["id"], title)
    touch(asked, row)
    return AnsweredGoogle(shown(asked, deck, row))


def _has_comments(asked: AskedGoogle) -> bool:
    return asked.given.get("commentsViewMode") in (
        "COMMENTS_VIEW_MODE_INCLUDED",
        "COMMENTS_VIEW_MODE_DEFAULT_FOR_CURRENT_ACCESS",
    )


def _get(asked: AskedGoogle) -> AnsweredGoogle:
    deck, row = deck_of(asked)
    found = shown(asked, deck, row)
    if _has_comments(asked):
        found |= {"comments": [one["thread"] for one in deck["comments"]]}
        found["commentsViewMode"] = "COMMENTS_VIEW_MODE_INCLUDED"
    return AnsweredGoogle(found)


def _page(asked: AskedGoogle) -> tuple[Row, Row, Row]:
    deck, row = deck_of(asked)
    id = asked.given["pageObjectId"]
    for page in pages(deck):
        if page["objectId"] == id:
            return deck, row, page
    raise GoogleRefusal(404, "notFound", f"The page ({id}) could not be found.")


def _get_page(asked: AskedGoogle) -> AnsweredGoogle:
    deck, row, page = _page(asked)
    found = {**page, "revisionId": revision_of(row)}
    if _has_comments(asked):
        own = {page["objectId"], *(place.element["objectId"] for place in elements(page))}
        here = [one for one in deck["comments"] if _objects(one) & own]
        found |= {"comments": [one["thread"] for one in here]}
        found |= {"commentAnchors": [one["anchor"] for one in here]}
    return AnsweredGoogle(found)


def _objects(comment: Row) -> set[str]:
    return {one["objectId"] for one in (comment["anchor"] or {}).get("objectAnchors", [])}


def _thumbnail(asked: AskedGoogle) -> AnsweredGoogle:
    deck, _, page = _page(asked)
    if page["pageType"] not in ("SLIDE", "LAYOUT", "MASTER"):
        raise refused(f"The page ({page['objectId']}) has no thumbnail.")
    return thumbnail(asked, deck, page)


SLIDES: Final[Mapping[str, Handler]] = {
    "slides_create": _create,
    "slides_get": _get,
    "slides_pages_get": _get_page,
    "slides_pages_getThumbnail": _thumbnail,
}
