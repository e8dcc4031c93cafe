"""Revising: a batch is for the latest revision, or for an older one, and then respects others' changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.moving import Regions, Shift
from laconic.sandbox.google.papers.documents import revision_id
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import bad_request

__all__ = ["Behind", "keep_revision"]

_KEPT = 100  # revisions that a batch can still be for


def keep_revision(draft: Draft) -> None:
    """Make a draft a revision of its own, and note what it moved."""
    doc = draft.doc
    doc["revision"] += 1
    moves = [[one.tab, one.segment, one.at, one.removed, one.added] for one in draft.shifts]
    doc["log"] = [*doc["log"], [doc["revision"], moves]][-_KEPT:]


class Behind:
    """How far the requests of a batch are behind a document."""

    def __init__(self, draft: Draft, control: Mapping[str, Any]) -> None:
        self._draft, self._seen = draft, 0
        self._regions: dict[tuple[str, str], Regions] = {}
        required, target = control.get("requiredRevisionId"), control.get("targetRevisionId")
        if required and target:
            raise bad_request("At most one of requiredRevisionId and targetRevisionId can be given.")
        if required and required != revision_id(draft.doc, draft.person):
            text = f"The required revision ID '{required}' does not match the latest revision."
            raise bad_request(f"{text} The document was changed meanwhile.")
        for move in self._since(target) if target else ():
            shift = Shift(*move)
            self._of(shift).add(shift)

    def _since(self, target: str) -> list[list[Any]]:
        doc, log = self._draft.doc, self._draft.doc["log"]
        for place in range(len(log), -1, -1):
            number = log[place][0] - 1 if place < len(log) else doc["revision"]
            if target == revision_id(doc, self._draft.person, number):
                return [move for _, moves in log[place:] for move in moves]
        raise bad_request(f"The target revision ID '{target}' is too far behind the latest revision.")

    def _of(self, shift: Shift) -> Regions:
        return self._regions.setdefault((shift.tab, shift.segment), Regions())

    def rebased(self, request: Row) -> Row:
        """Return the next request for the document as it is now."""
        for shift in self._draft.shifts[self._seen :]:
            if (shift.tab, shift.segment) in self._regions:
                self._of(shift).move(shift)
        self._seen = len(self._draft.shifts)
        return self._mapped(request) if self._regions else request

    def _mapped(self, given: Any) -> Any:
        if isinstance(given, list):
            return [self._mapped(one) for one in given]
        if not isinstance(given, dict):
            return given
        found = {key: self._mapped(value) for key, value in given.items()}
        tab = given.get("tabId") or self._draft.tab()["id"]
        regions = self._regions.get((tab, given.get("segmentId", "")))
        if regions is not None and "endIndex" in given:
            found["startIndex"] = regions.now(given.get("startIndex", 0))
            found["endIndex"] = max(found["startIndex"], regions.now(given["endIndex"], is_end=True))
        elif regions is not None and isinstance(given.get("index"), int) and "title" not in given:
            found["index"] = regions.now(given["index"])
        return found
