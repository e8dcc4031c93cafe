"""Requests about text: insert, delete, replace and style."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from laconic.sandbox.google.decks.flow import Flow, units
from laconic.sandbox.google.decks.objects import Editing, elements, page_of, pages, refused
from laconic.sandbox.google.slides.masks import update
from laconic.sandbox.google.slides.requests import SlideRequest
from laconic.sandbox.google.slides.requests.holders import holder_of, put, span, styled

__all__ = ["TEXTS", "chosen_pages", "pattern_of"]

Row = dict[str, Any]


def _insert(editing: Editing, given: Row) -> Row:
    holder = holder_of(editing, given)
    flow, index = Flow(holder.get("text")), given.get("insertionIndex", 0)
    if not 0 <= index <= flow.length:
        text = f"The insertion index ({index}) should not be greater than the existing text length"
        raise refused(f"{text} ({flow.length}).")
    flow.insert(index, given.get("text", ""))
    put(editing, holder, flow)
    return {}


def _delete(editing: Editing, given: Row) -> Row:
    holder = holder_of(editing, given)
    flow = Flow(holder.get("text"))
    flow.delete(*span(given.get("textRange"), flow, most=flow.length))
    put(editing, holder, flow)
    return {}


def _text_style(editing: Editing, given: Row) -> Row:
    holder, flow, start, end = styled(editing, given)
    new = dict(given.get("style", {}))
    for cell in flow.cells[start:end]:
        paths = update(cell.style, new, given.get("fields", ""), "TextStyle")
        if "fontFamily" in paths and "fontFamily" in new:
            cell.style["weightedFontFamily"] = {"fontFamily": new["fontFamily"], "weight": 400}
        if any(path.startswith("link") for path in paths) and "link" in new:
            cell.style.setdefault("underline", True)
    put(editing, holder, flow)
    return {}


def _paragraph_style(editing: Editing, given: Row) -> Row:
    holder, flow, start, end = styled(editing, given)
    for _, cell in flow.paragraphs(start, end):
        style = dict((cell.mark or {}).get("style", {}))
        update(style, given.get("style", {}), given.get("fields", ""), "ParagraphStyle")
        cell.mark = {**(cell.mark or {}), "style": style}
    put(editing, holder, flow)
    return {}


def pattern_of(criteria: Row) -> re.Pattern[str]:
    """Return what finds a text."""
    text = criteria.get("text", "")
    if not text:
        raise refused("The text to search for should not be empty.")
    try:
        wanted = text if criteria.get("searchByRegex") else re.escape("".join(units(text)))
        return re.compile(wanted, 0 if criteria.get("matchCase") else re.IGNORECASE)
    except re.error:
        raise refused(f"Invalid regular expression: {text}") from None


def chosen_pages(deck: Row, wanted: list[str], *, without: tuple[str, ...]) -> list[Row]:
    """Return the pages that a request is about: those that it names, or all."""
    if not wanted:
        return [page for page in pages(deck) if page["pageType"] not in without]
    found = [page_of(deck, id) for id in wanted]
    for page in found:
        if page["pageType"] in without:
            raise refused(f"The page ({page['objectId']}) is a page of notes, which is not allowed here.")
    return found


def _holders(page: Row) -> Iterator[Row]:
    for place in elements(page):
        if "shape" in place.element:
            yield place.element["shape"]
        for line in place.element.get("table", {}).get("tableRows", []):
            yield from line["tableCells"]


def _replace(editing: Editing, given: Row) -> Row:
    pattern, changed = pattern_of(given.get("containsText", {})), 0
    for page in chosen_pages(editing.deck, given.get("pageObjectIds", []), without=("NOTES_MASTER",)):
        for holder in _holders(page):
            flow = Flow(holder.get("text"))
            count = flow.replace(pattern, given.get("replaceText", ""))
            if count:
                put(editing, holder, flow)
                changed += count
    return {"replaceAllText": {"occurrencesChanged": changed} if changed else {}}


TEXTS: Final[Mapping[str, SlideRequest]] = {
    "deleteText": _delete,
    "insertText": _insert,
    "replaceAllText": _replace,
    "updateParagraphStyle": _paragraph_style,
    "updateTextStyle": _text_style,
}
