"""Sending: a batch with the revision that it was made for; nothing of it is done if that is stale."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from laconic.kit import BadArguments, Failure, UpstreamDown
from laconic.servers.google.api.access import Access
from laconic.servers.google.catalogue.operations import operation
from laconic.servers.google.docs.reading.document import Document, Segment
from laconic.servers.google.docs.reading.opening import read
from laconic.servers.google.docs.writing.layout import Request
from laconic.upstream import ApiRequest, Invalid, path_of

_PLACE: Final = re.compile(r"requests\[(\d+)\]")
_PLACES: Final = ("location", "range", "tableStartLocation", "tableCellLocation", "tableRange")
_AROUND: Final = 40  # characters of the text near an index


class StaleRevision(Exception):
    """Somebody changed the document since it was read."""


async def send(
    access: Access,
    id: str,
    requests: Sequence[Request],
    revision: str = "",
    *,
    suggest: bool = False,
    merge: bool = False,
) -> Mapping[str, Any]:
    """Send a batch for a revision, and return its answer; with `merge` Google goes around newer changes.

    Raises:
        StaleRevision: the document is at another revision, or at one that is much newer.
        Failure: Google refused it.
    """
    control = {"targetRevisionId" if merge else "requiredRevisionId": revision} if revision else {}
    control |= {"writeMode": "SUGGEST"} if suggest else {}
    body = {"requests": list(requests), **({"writeControl": control} if control else {})}
    path = f"v1/documents{path_of(id)}:batchUpdate"
    request = ApiRequest(method="POST", path=path, body=body, group="docs writes")
    try:
        async with telling_places(access, id, requests):
            reply = await access.send(operation("docs_insertText"), request, {"documentId": id})
    except Failure as failure:
        words = failure.message.lower()
        if isinstance(failure.__cause__, Invalid) and "revision" in words and "requests[" not in words:
            raise StaleRevision from failure
        raise
    return reply.data if isinstance(reply.data, dict) else {}


async def send_surely(
    access: Access, document: Document, requests: Sequence[Request], *, suggest: bool
) -> Mapping[str, Any]:
    """Send a batch with its guard; after a fault the revision tells whether it must be sent again."""
    try:
        return await send(access, document.id, requests, document.revision, suggest=suggest)
    except UpstreamDown as failure:
        if failure.changed is False or not document.revision:
            raise
        try:
            now = await read(access, document.id)
            if now.revision == document.revision:
                return await send(access, document.id, requests, document.revision, suggest=suggest)
        except StaleRevision:
            pass  # it was only late, or somebody was faster
        except Failure:
            raise failure from None  # that the outcome is not known matters more
        failure.message += " The document has another revision now: it was probably done."
        raise


@asynccontextmanager
async def telling_places(access: Access, id: str, requests: Sequence[Request]) -> AsyncIterator[None]:
    """Add to a refusal of an index where its segment ends, and the text nearby."""
    try:
        yield
    except BadArguments as failure:
        if "unknown name" in failure.message.lower():
            raise _not_open(access, failure) from failure.__cause__
        found = _PLACE.search(failure.message)
        is_place = re.search(r"index|range", failure.message, re.I)
        if not isinstance(failure.__cause__, Invalid) or not found or not is_place:
            raise
        try:
            told = _told(await read(access, id), requests[int(found[1])])
        except Failure:  # what was refused matters more
            raise failure from failure.__cause__
        raise BadArguments(f"{failure.message}{told}", about=failure.about) from failure.__cause__


def _not_open(access: Access, failure: BadArguments) -> BadArguments:
    """Say what to do without a feature that Google has not opened to every project."""
    words = failure.message
    instead = "drive_comment comments on the file as a whole." if "omment" in words else ""
    instead = "Edit without suggest." if "writeMode" in words else instead
    advice = access.advice(f"The feature may not be open to this Google project. {instead}".strip())
    return BadArguments(words, advice=advice, about=failure.about)


def _told(document: Document, request: Request) -> str:
    place = _place(next(iter(request.values())))
    wanted = (place.get("tabId", document.tabs[0].id), place.get("segmentId", ""))
    for tab, segment in document.segments():
        if (tab.id, segment.id) == wanted:
            index, end = place.get("index", place.get("startIndex")), place.get("endIndex", 0)
            return _near(segment, end if index is not None and index < segment.end < end else index)
    return ""


def _place(given: Any) -> Mapping[str, Any]:
    """Return the first location or range in a request, however deep it is."""
    if not isinstance(given, Mapping):
        return {}
    for key in _PLACES:
        if isinstance(given.get(key), Mapping):
            return _place(given[key]) or dict(given[key])
    return {}


def _near(segment: Segment, index: int | None) -> str:
    end = f" The {segment.kind} ends at {segment.end}, before this batch."
    if index is None:
        return end
    offset = min(segment.flow.offset(index), max(0, len(segment.flow.text) - 1))
    text = segment.flow.text[max(0, offset - _AROUND) : offset + _AROUND]
    start = segment.flow.index(max(0, offset - _AROUND))
    return f"{end} The text near {index}, from {start} on: {text!r}."
