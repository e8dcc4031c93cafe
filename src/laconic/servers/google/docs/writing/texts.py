"""Texts: changes inside paragraphs as requests."""

from __future__ import annotations

import re
from typing import Any, Final

from laconic.kit import BadArguments
from laconic.servers.google.docs.reading.document import Segment
from laconic.servers.google.docs.reading.finding import Found
from laconic.servers.google.docs.reading.flow import taken, units
from laconic.servers.google.docs.writing.layout import Request
from laconic.servers.google.docs.writing.styles import FONT, link_style
from laconic.text.graphemes import boundary, next_boundary

_WORDS: Final[dict[str, dict[str, Any]]] = {
    "bold": {"bold": True},
    "italic": {"italic": True},
    "underline": {"underline": True},
    "strike": {"strikethrough": True},
    "code": FONT,
}
_ADDRESS: Final = r"(?:[\w+.-]+://|mailto:|#heading=|#bookmark=)\S+"
_WORD: Final = re.compile(rf"{_ADDRESS}|heading ?\d+|[^\s,]+", re.IGNORECASE)
_NAMED: Final = {
    **{"normal": "NORMAL_TEXT", "title": "TITLE", "subtitle": "SUBTITLE"},
    **{f"heading{level}": f"HEADING_{level}" for level in range(1, 7)},
}


def replacing(found: Found, new: str) -> list[Request]:
    """Return the requests that put a text in place of another one; whole graphemes that both share stay."""
    old, new = found.segment.flow.text[found.start : found.end], taken(new)
    first = boundary(old, _shared(old, new))
    last = _shared(old[first:][::-1], new[first:][::-1])
    last = len(old) - next_boundary(old, len(old) - last)
    start, end = found.segment.flow.range(found.start, found.end)
    start += units(old[:first])
    end -= units(old[len(old) - last :])
    text = new[first : len(new) - last]
    if not text:
        return _delete(found.segment, start, end)
    if old[first : len(old) - last].endswith("\n"):  # the next paragraph must not get the text
        moved = units(text)
        return [_insert(found.segment, start, text), *_delete(found.segment, start + moved, end + moved)]
    return [_insert(found.segment, end, text), *_delete(found.segment, start, end)]


def inserting(segment: Segment, index: int, text: str) -> list[Request]:
    """Return the request that inserts a text."""
    clean = taken(text)
    return [_insert(segment, index, clean)] if clean else []


def styling(segment: Segment, start: int, end: int, words: str) -> list[Request]:
    """Return the requests that style a part of a text.

    Raises:
        BadArguments: a word is no style.
    """
    where = segment.range(start, end)
    requests = list[Request]()
    text: dict[str, Any] = {}
    fields: set[str] = set()
    for given in _WORD.findall(words):
        word = given.lower().replace(" ", "")
        if re.match(_ADDRESS, word):
            text["link"] = link_style(given.rstrip(","))
        elif word in _NAMED:
            style = {"range": where, "paragraphStyle": {"namedStyleType": _NAMED[word]}}
            requests.append({"updateParagraphStyle": {**style, "fields": "namedStyleType"}})
        elif word == "plain":
            fields |= {"bold", "italic", "underline", "strikethrough", "weightedFontFamily", "link"}
        elif word in _WORDS:
            text |= _WORDS[word]
        else:
            known = ", ".join((*_WORDS, "plain", "heading 1 to 6, normal, title, subtitle or an address"))
            raise BadArguments(f"'{given[:40]}' is no style. Styles: {known}.")
    if text or fields:
        named = ",".join(sorted({*text, *fields}))
        requests.append({"updateTextStyle": {"range": where, "textStyle": text, "fields": named}})
    return requests


def _shared(one: str, other: str) -> int:
    """Count the characters that two texts have in common at their start."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _insert(segment: Segment, index: int, text: str) -> Request:
    return {"insertText": {"location": segment.location(index), "text": text}}


def _delete(segment: Segment, start: int, end: int) -> list[Request]:
    return [{"deleteContentRange": {"range": segment.range(start, end)}}] if end > start else []
