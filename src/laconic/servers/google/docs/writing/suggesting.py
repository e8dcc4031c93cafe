"""Suggesting: requests for a document in which text that is deleted stays, as a suggestion to delete it.

So whatever is after such a text has not moved; what is inserted at its place comes before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.kit import BadArguments
from laconic.servers.google.docs.reading.document import Segment
from laconic.servers.google.docs.reading.flow import units
from laconic.servers.google.docs.writing.layout import Request
from laconic.servers.google.docs.writing.plans import EditStep

_NEVER: Final = ("createNamedRange",)  # Google suggests changes of content alone
_SHOWN: Final = 5  # ids of suggestions
_Key = tuple[str, str]  # of a segment: its tab and its id


@dataclass
class _Ghost:
    """A text that would be gone, at the index where it was."""

    at: int
    size: int
    is_table: bool = False  # or something else before which nothing can be inserted

    def is_before(self, index: int) -> bool:
        """True if what is inserted at an index comes after it."""
        return self.at < index or (self.at == index and self.is_table)


def as_suggestions(steps: Sequence[EditStep]) -> list[Request]:
    """Return the requests of steps, at the places that they have where nothing is deleted.

    Raises:
        BadArguments: blocks that are to be replaced have suggestions: whether Google deletes those at
            once depends on who made them.
    """
    ghosts: dict[_Key, list[_Ghost]] = {}
    found: list[Request] = []
    for step in steps:
        if step.is_blocks:
            _check(step)
        for request in step.requests:
            [(kind, given)] = request.items()
            if kind not in _NEVER:
                found.append({kind: _moved(step.segment, kind, given, ghosts)})
    return found


def left_out(steps: Sequence[EditStep]) -> int:
    """Count the requests that cannot be suggested."""
    return sum(kind in _NEVER for step in steps for request in step.requests for kind in request)


def _moved(
    segment: Segment, kind: str, given: Mapping[str, Any], ghosts: dict[_Key, list[_Ghost]]
) -> dict[str, Any]:
    """Return a request at its place among the texts that stay, and note what it does to them."""
    if "location" in given:
        place = given["location"]
        own = ghosts.setdefault(_key(place), [])
        index = place["index"]
        new = index + sum(one.size for one in own if one.is_before(index))
        for one in own:
            one.at += 0 if one.is_before(index) else _size(kind, given)
        return {**given, "location": {**place, "index": new}}
    if "range" not in given:
        return dict(given)
    span = given["range"]
    own = ghosts.setdefault(_key(span), [])
    start, end = span["startIndex"], span["endIndex"]
    new = {"startIndex": _after(own, start), "endIndex": _after(own, end - 1) + 1}
    if kind == "deleteContentRange":
        for one in own:
            one.at = min(one.at, max(start, one.at - (end - start)))
        text = _text_from(segment, start, end)
        own += [_Ghost(start, text - start, is_table=True)] if text > start else []
        own += [_Ghost(start, end - text)] if end > text else []
    return {**given, "range": {**span, **new}}


def _text_from(segment: Segment, start: int, end: int) -> int:
    """Return where in a range its first paragraph begins; its end if there is none."""
    for element in segment.content:
        if start == element.get("startIndex", 0) < end and "paragraph" not in element:
            start = element["endIndex"]
    return start


def _after(ghosts: Sequence[_Ghost], index: int) -> int:
    """Return where a character is now."""
    return index + sum(one.size for one in ghosts if one.at <= index)


def _key(place: Mapping[str, Any]) -> _Key:
    return place.get("tabId", ""), place.get("segmentId", "")


def _size(kind: str, given: Mapping[str, Any]) -> int:
    """Return how many units a request inserts."""
    if kind == "insertText":
        return units(given["text"])
    if kind == "insertTable":
        return 3 + int(given["rows"]) * (1 + 2 * int(given["columns"]))
    return 1


def _check(step: EditStep) -> None:
    for request in step.requests:
        span = request.get("deleteContentRange", {}).get("range")
        ids = [*dict.fromkeys(_suggestions(step.segment, span))] if span else []
        if ids:
            more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
            raise BadArguments(
                f"The part that would be replaced has suggestions already: {', '.join(ids[:_SHOWN])}{more}.",
                advice="Accept, reject or delete them first (docs_acceptSuggestion, docs_rejectSuggestion, "
                "docs_deleteSuggestion), or change the text by find.",
            )


def _suggestions(segment: Segment, span: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ids of the suggestions to insert or delete something in a range."""
    for element in _elements(segment.content):
        start, end = element.get("startIndex", 0), element.get("endIndex", 0)
        if start < span["endIndex"] and end > span["startIndex"]:
            inner = next((one for one in element.values() if isinstance(one, Mapping)), {})
            for key in ("suggestedInsertionIds", "suggestedDeletionIds"):
                yield from inner.get(key, ())


def _elements(content: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of paragraphs and the tables, also of those in tables."""
    for one in content:
        yield from one.get("paragraph", {}).get("elements", ())
        if "table" in one:
            yield one
            for row in one["table"].get("tableRows", ()):
                for cell in row.get("tableCells", ()):
                    yield from _elements(cell.get("content", ()))
