"""Drafts: a document while a batch changes it; what a draft replaces, the document still has."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from laconic.sandbox.google.docs.moving import Shift, moved
from laconic.sandbox.google.papers.blocks import references
from laconic.sandbox.google.papers.documents import copied
from laconic.sandbox.google.papers.places import end_of
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request
from laconic.sandbox.google.site.people import Person

__all__ = ["Draft", "Segment"]


@dataclass(frozen=True)
class Segment:
    """A segment of a tab: its body, or a header, a footer or a footnote."""

    tab: Row
    id: str  # empty: the body
    row: Row

    @property
    def blocks(self) -> list[Row]:
        """Its blocks."""
        found: list[Row] = self.row["blocks"]
        return found

    @property
    def end(self) -> int:
        """Where it ends."""
        return end_of(self.blocks)


class Draft:
    """A document, who changes it, and what has been done so far."""

    def __init__(
        self, doc: Row, person: Person, now: str, role: str = "owner", talk: Sequence[Row] = ()
    ) -> None:
        self.doc, self.talk = copied(doc), deepcopy(list(talk))
        self.person, self.now, self.role = person, now, role
        self.shifts: list[Shift] = []
        self.suggestion = ""  # the id of what is being suggested; empty: it is simply done
        self.notes: list[str] = []  # what is being suggested, in words
        self.decided: dict[str, str] = {}  # suggestions, and what became of them

    def new_id(self, prefix: str = "kix.") -> str:
        """Return an id that nothing in the document has yet."""
        self.doc["count"] += 1
        digest = sha256(f"{self.doc['id']} {self.doc['count']}".encode()).digest()
        return prefix + b32encode(digest)[:12].decode().lower()

    def tab(self, id: str = "") -> Row:
        """Return a tab; the first if none is named.

        Raises:
            GoogleRefusal: there is no such tab.
        """
        for one in self.doc["tabs"]:
            if not id or one["id"] == id:
                found: Row = one
                return found
        raise bad_request(f"The tab with ID {id} was not found in the document.")

    def tabs(self, criteria: Mapping[str, Any] | None) -> list[Row]:
        """Return the tabs that a request names, else all."""
        if not criteria:
            return list(self.doc["tabs"])
        return [self.tab(id) for id in criteria.get("tabIds", [])]

    def segment(self, given: Mapping[str, Any]) -> Segment:
        """Return the segment that a location or a range is in.

        Raises:
            GoogleRefusal: there is no such segment.
        """
        tab = self.tab(given.get("tabId", ""))
        id = given.get("segmentId", "")
        if id not in tab["segments"]:
            raise bad_request(f"The segment with ID {id} was not found.")
        return Segment(tab, id, tab["segments"][id])

    def location(self, given: Mapping[str, Any], *, body_only: str = "") -> tuple[Segment, int]:
        """Return where a request inserts something.

        Raises:
            GoogleRefusal: not exactly one location is given, or the index is not in its segment.
        """
        ends = [one for one in ("location", "endOfSegmentLocation") if one in given]
        if len(ends) != 1:
            raise bad_request("Exactly one of location and endOfSegmentLocation must be given.")
        segment = self.segment(given[ends[0]])
        if body_only and segment.id:
            raise bad_request(f"{body_only} can be inserted in the body alone.")
        if ends == ["endOfSegmentLocation"]:
            return segment, segment.end - 1
        return segment, self.index(segment, given["location"].get("index", 0))

    def index(self, segment: Segment, index: int) -> int:
        """Return an index inside of a segment.

        Raises:
            GoogleRefusal: it is beyond the end, or negative.
        """
        if index < 0:
            raise bad_request(f"Index {index} must be greater than or equal to 0.")
        if index >= segment.end:
            text = "must be less than the end index of the referenced segment"
            raise bad_request(f"Index {index} {text}, {segment.end}.")
        return index

    def range(self, given: Mapping[str, Any] | None) -> tuple[Segment, int, int]:
        """Return the segment, the start and the end of a range.

        Raises:
            GoogleRefusal: it is empty, or not in its segment.
        """
        if given is None or "endIndex" not in given:
            raise bad_request("A range with a start index and an end index is required.")
        segment = self.segment(given)
        start, end = given.get("startIndex", 0), given["endIndex"]
        if start >= end:
            raise bad_request("The range should not be empty.")
        return segment, self.index(segment, start), self.index(segment, end - 1) + 1

    def shift(self, segment: Segment, at: int, removed: int, added: int) -> None:
        """Note that content was replaced, and move named ranges and anchors of comments along."""
        one = Shift(segment.tab["id"], segment.id, at, removed, added)
        self.shifts.append(one)
        for named in (*segment.tab["names"], *segment.tab["anchors"].values()):
            named["ranges"] = [new for old in named["ranges"] if (new := moved(old, one)) is not None]
        segment.tab["names"] = [named for named in segment.tab["names"] if named["ranges"]]

    def with_heading(self, block: Row) -> Row:
        """Return a paragraph with the id that headings have, or without one."""
        style = block["style"]
        is_heading = style.get("namedStyleType", "NORMAL_TEXT") != "NORMAL_TEXT"
        if is_heading == ("headingId" in style):
            return block
        if is_heading:
            return {**block, "style": {**style, "headingId": self.new_id("h.")}}
        return {**block, "style": {key: value for key, value in style.items() if key != "headingId"}}

    def forget(self, tab: Row, gone: list[Row]) -> bool:
        """Remove the objects and footnotes to which nothing refers any more; whether there were any."""
        lost = set(references(gone))
        if lost:
            lost -= {one for segment in tab["segments"].values() for one in references(segment["blocks"])}
        for id in lost:
            tab["segments"].pop(id, None)
            tab["objects"].pop(id, None)
        if lost:
            tab["names"] = [one for one in tab["names"] if one["ranges"][0][0] not in lost]
        return bool(lost)

    def suggested(self, id: str) -> Row:
        """Return a suggestion.

        Raises:
            GoogleRefusal: there is none.
        """
        for one in self.doc["suggestions"]:
            if one["id"] == id:
                found: Row = one
                return found
        raise bad_request(f"The suggestion with ID {id} was not found.")

    def suggest(self) -> None:
        """Begin a suggestion, to which everything belongs that is done until it ends."""
        self.suggestion, self.notes = self.new_id("suggest."), []

    def end_suggestion(self) -> str:
        """Keep the suggestion that began; its id, or nothing if nothing was suggested."""
        id, self.suggestion = self.suggestion, ""
        if not self.notes:
            return ""
        new = {"id": id, "email": self.person.email, "time": self.now, "status": "OPEN", "replies": []}
        self.doc["suggestions"].append({**new, "summary": "; ".join(self.notes)})
        return id

    def may(self, role: str) -> None:
        """Let only those go on who may do as much.

        Raises:
            GoogleRefusal: the person may do less.
        """
        roles = ("reader", "commenter", "writer")
        own = self.role if self.role in roles else "writer"
        if roles.index(own) < roles.index(role):
            raise GoogleRefusal(403, "forbidden", "The caller does not have permission")
