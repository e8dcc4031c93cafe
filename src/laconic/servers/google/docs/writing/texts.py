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

_WORDS: Final[dict[str, dict[str, Any]]] = {
    "bold": {"bold": True},
    "italic": {"italic": True},
    "underline": {"underline": True},
    "strike": {"strikethrough": True},
    "code": FONT,
}
_PARAGRAPH: Final = re.compile(r"heading ?([1-6])|(normal|title|subtitle)")
_NAMED: Final = {"normal": "NORMAL_TEXT", "title": "TITLE", "subtitle": "SUBTITLE"}


def replacing(found: Found, new: str) -> list[Request]:
    """Return the requests that put a text in place of another one; what both share stays."""
    old, new = found.segment.flow.text[found.start : found.end], taken(new)
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
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
    rest, requests = words.strip(), list[Request]()
    if found := _PARAGRAPH.search(rest):
        name = f"HEADING_{found[1]}" if found[1] else _NAMED[found[2]]
        style = {"namedStyleType": name}
        requests.append(
            {"updateParagraphStyle": {"range": where, "paragraphStyle": style, "fields": "namedStyleType"}}
        )
        rest = f"{rest[: found.start()]} {rest[found.end() :]}"
    text: dict[str, Any] = {}
    fields: set[str] = set()
    for word in rest.replace(",", " ").split():
        if word == "plain":
            fields |= {"bold", "italic", "underline", "strikethrough", "weightedFontFamily", "link"}
        elif word in _WORDS:
            text |= _WORDS[word]
        elif "://" in word or word.startswith(("mailto:", "#heading=", "#bookmark=")):
            text["link"] = link_style(word)
        else:
            known = ", ".join((*_WORDS, "plain", "heading 1 to 6, normal, title, subtitle or an address"))
            raise BadArguments(f"'{word[:40]}' is no style. Styles: {known}.")
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
