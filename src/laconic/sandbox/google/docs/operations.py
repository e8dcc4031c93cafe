"""The operations of Docs, by their names in the catalogue, and batches of requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle, Handler
from laconic.sandbox.google.docs import reading
from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.docs.requests.comments import COMMENTS
from laconic.sandbox.google.docs.requests.dropdowns import DROPDOWNS
from laconic.sandbox.google.docs.requests.elements import ELEMENTS
from laconic.sandbox.google.docs.requests.lists import LISTS
from laconic.sandbox.google.docs.requests.names import NAMES
from laconic.sandbox.google.docs.requests.pages import PAGES
from laconic.sandbox.google.docs.requests.segments import SEGMENTS
from laconic.sandbox.google.docs.requests.styling import STYLING
from laconic.sandbox.google.docs.requests.suggestions import SUGGESTIONS
from laconic.sandbox.google.docs.requests.table_cells import TABLE_CELLS
from laconic.sandbox.google.docs.requests.tables import TABLES
from laconic.sandbox.google.docs.requests.tabs import TABS
from laconic.sandbox.google.docs.requests.text import TEXT
from laconic.sandbox.google.docs.revising import Behind, keep_revision
from laconic.sandbox.google.drive.changing import touch
from laconic.sandbox.google.drive.files import file_of, role_of
from laconic.sandbox.google.papers.documents import (
    document_of,
    revision_id,
    searchable,
    stored_documents,
)
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request, not_done

__all__ = ["DOCS", "DOC_KINDS", "doc_batch"]

DOCS: Mapping[str, Handler] = reading.HANDLERS
DOC_KINDS: Mapping[str, DocRequest] = {
    **COMMENTS,
    **DROPDOWNS,
    **ELEMENTS,
    **LISTS,
    **NAMES,
    **PAGES,
    **SEGMENTS,
    **STYLING,
    **SUGGESTIONS,
    **TABLES,
    **TABLE_CELLS,
    **TABS,
    **TEXT,
}


_TALKING: Final = {*COMMENTS, *SUGGESTIONS}
_PLAIN: Final = {"deletePositionedObject", "replaceImage"}
_SUGGESTED: Final = {*TEXT, *LISTS, *STYLING, *ELEMENTS} - _PLAIN | {
    *("createFootnote", "insertDropdown", "insertPageBreak", "insertSectionBreak", "insertTable"),
    "replaceNamedRangeContent",
}


def doc_batch(asked: AskedGoogle) -> AnsweredGoogle:
    """Carry out all requests of a batch, or none."""
    row = file_of(asked, asked.given["documentId"], "commenter")
    doc = document_of(asked.state, row["id"])
    role, talk = role_of(asked.state, row, asked.person), row.get("talk", [])
    draft = Draft(doc, asked.person, asked.now, role, talk)
    requests, control = asked.body.get("requests", []), asked.body.get("writeControl", {})
    behind = Behind(draft, control)
    done = [
        _done(draft, place, behind.rebased(request), is_suggested=control.get("writeMode") == "SUGGEST")
        for place, request in enumerate(requests)
    ]
    keep_revision(draft)
    stored_documents(asked.state)[doc["id"]] = draft.doc
    row["text"] = searchable(draft.doc)
    if draft.talk != row.get("talk", []):
        row["talk"] = draft.talk
    touch(asked, row)
    talked = any(kind in COMMENTS for request in requests for kind in request)
    return AnsweredGoogle(
        {
            "documentId": doc["id"],
            "replies": [reply for reply, _ in done],
            "suggestionResponses": [suggested for _, suggested in done],
            "commentUpdateState": "ALL_SAVED" if talked else "NO_UPDATES_REQUESTED",
            "writeControl": {"requiredRevisionId": revision_id(draft.doc, asked.person)},
        }
    )


def _done(draft: Draft, place: int, request: Row, *, is_suggested: bool) -> tuple[Row, Row]:
    """Carry out a request; its reply, and what became of suggestions."""
    if len(request) != 1:
        raise bad_request(f"Invalid requests[{place}]: exactly one request is expected.")
    [(kind, given)] = request.items()
    if kind not in DOC_KINDS:
        raise not_done(f"docs.documents.batchUpdate#{kind}")
    try:
        return _carried_out(draft, kind, given, is_suggested=is_suggested and kind not in _TALKING)
    except GoogleRefusal as refusal:
        if refusal.status != 400:
            raise
        raise bad_request(f"Invalid requests[{place}].{kind}: {refusal.message}") from None


def _carried_out(draft: Draft, kind: str, given: Row, *, is_suggested: bool) -> tuple[Row, Row]:
    draft.decided.clear()
    if not is_suggested:
        if kind not in _TALKING:
            draft.may("writer")
        reply = DOC_KINDS[kind](draft, given)
        return reply, {name: [id] for id, name in draft.decided.items()}
    if kind not in _SUGGESTED:
        raise bad_request("This request cannot be made in the write mode SUGGEST.")
    draft.suggest()
    reply = DOC_KINDS[kind](draft, given)
    id = draft.end_suggestion()
    return reply, {"createdSuggestionIds": [id]} if id else {}
