"""Notes: the texts of new footnotes, whose ids only the reply of the batch that makes them has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laconic.servers.google.docs.reading.blocks import Block, Spans
from laconic.servers.google.docs.reading.document import Document, Segment
from laconic.servers.google.docs.writing.layout import Request, insertion

_FRESH = [{"endIndex": 2, "paragraph": {}}]  # a new footnote has a space and a newline


def new_footnotes(replies: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the ids of the footnotes that a batch made."""
    return [reply["createFootnote"]["footnoteId"] for reply in replies if "createFootnote" in reply]


def note_requests(made: Sequence[str], notes: Sequence[Spans], tab: str) -> list[Request]:
    """Return the requests that fill new footnotes, in the order of the notes."""
    requests: list[Request] = []
    for id, note in zip(made, notes, strict=True):
        if note:
            segment = Segment(tab, "footnote", id, _FRESH)
            requests += insertion(segment, 1, [Block("paragraph", note)]).requests
    return requests


def are_empty(document: Document, made: Sequence[str]) -> bool:
    """True if none of the footnotes has a text."""
    texts = [part.flow.text for _, part in document.segments() if part.kind == "footnote" and part.id in made]
    return not any(text.strip() for text in texts)
