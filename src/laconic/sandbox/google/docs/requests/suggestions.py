"""Requests that accept, reject and delete suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.editing import renumber
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.docs.requests.text import segments_of
from laconic.sandbox.google.papers.places import Blocks, changed, end_of
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.papers.suggesting import lost, resolved
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = ["SUGGESTIONS"]


def _open(draft: Draft, given: Row) -> Row:
    found = draft.suggested(given.get("suggestionId", ""))
    if found["status"] != "OPEN":
        raise bad_request(f"The suggestion with ID {found['id']} is {found['status'].lower()} already.")
    return found


def _accept(draft: Draft, given: Row) -> Row:
    draft.may("writer")
    found = _open(draft, given)
    found["status"] = "ACCEPTED"
    _decide(draft, found["id"], is_accepted=True)
    draft.decided[found["id"]] = "acceptedSuggestionIds"
    return {}


def _reject(draft: Draft, given: Row) -> Row:
    found = _open(draft, given)
    if found["email"] != draft.person.email:
        draft.may("writer")
    found["status"] = "REJECTED"
    _decide(draft, found["id"], is_accepted=False)
    draft.decided[found["id"]] = "rejectedSuggestionIds"
    return {}


def _delete(draft: Draft, given: Row) -> Row:
    found = draft.suggested(given.get("suggestionId", ""))
    if found["email"] != draft.person.email:
        raise GoogleRefusal(403, "forbidden", "Only the author of a suggestion can delete it.")
    _decide(draft, found["id"], is_accepted=False)
    draft.doc["suggestions"].remove(found)
    draft.decided[found["id"]] = "deletedSuggestionIds"
    return {}


def _decide(draft: Draft, id: str, *, is_accepted: bool) -> None:
    """Let a suggestion become content, or go, wherever it is."""

    def verdict(other: str) -> bool | None:
        return is_accepted if other == id else None

    for tab in draft.doc["tabs"]:
        for segment in segments_of(tab):
            old = list(segment.blocks)
            segment.row["blocks"] = Blocks(resolved(old, verdict))
            for start, size in reversed(list(lost(old, verdict))):
                draft.shift(segment, start, size, 0)
            end = end_of(segment.blocks)
            changed(segment.row, 0, end, lambda block, place: draft.with_heading(block))
            if draft.forget(tab, old):
                renumber(tab)


SUGGESTIONS: Final[Mapping[str, DocRequest]] = {
    "acceptSuggestion": _accept,
    "deleteSuggestion": _delete,
    "rejectSuggestion": _reject,
}
