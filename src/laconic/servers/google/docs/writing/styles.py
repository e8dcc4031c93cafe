"""Styles: how spans and blocks look in a document, as requests take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.servers.google.docs.reading.blocks import BOX, BULLET, NUMBER, Block, Span
from laconic.servers.google.docs.reading.runs import MONO

Style = Mapping[str, Any]
FONT: Final = {"weightedFontFamily": {"fontFamily": MONO}}
PRESETS: Final = {
    BULLET: "BULLET_DISC_CIRCLE_SQUARE",
    NUMBER: "NUMBERED_DECIMAL_ALPHA_ROMAN",
    BOX: "BULLET_CHECKBOX",
}
_GREY: Final = {"color": {"rgbColor": {"red": 0.95, "green": 0.95, "blue": 0.95}}}
_LINE: Final = {"color": {"rgbColor": {"red": 0.7, "green": 0.7, "blue": 0.7}}}


def _points(size: float) -> dict[str, Any]:
    return {"magnitude": size, "unit": "PT"}


def _border(width: float, padding: float) -> dict[str, Any]:
    sizes = {"width": _points(width), "padding": _points(padding)}
    return {"color": _LINE, "dashStyle": "SOLID", **sizes}


_PARAGRAPHS: Final[Mapping[str, Style]] = {
    "code": {"shading": {"backgroundColor": _GREY}},
    "quote": {"borderLeft": _border(3, 8), "indentStart": _points(18), "indentFirstLine": _points(18)},
    "rule": {"borderBottom": _border(1, 1)},
}


def paragraph_style(block: Block) -> Style:
    """Return how the paragraphs of a block differ from normal text."""
    if block.kind == "heading":
        return {"namedStyleType": f"HEADING_{block.level}"}
    return _PARAGRAPHS.get(block.kind, {})


def text_style(span: Span) -> dict[str, Any]:
    """Return how a span differs from plain text."""
    flags = {"bold": span.bold, "italic": span.italic, "strikethrough": span.strike}
    found: dict[str, Any] = {name: True for name, is_on in flags.items() if is_on}
    if span.code:
        found |= FONT
    if span.link:
        found["link"] = link_style(span.link)
    return found


def link_style(address: str) -> dict[str, str]:
    """Return what a text that leads to an address, or to a place in the document, has."""
    for start, key in (("#heading=", "headingId"), ("#bookmark=", "bookmarkId"), ("?tab=", "tabId")):
        if address.startswith(start):
            return {key: address.removeprefix(start)}
    return {"url": address}
