"""Runs: the elements of a paragraph as spans, and what of them markdown cannot express."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from laconic.servers.google.docs.reading.blocks import BREAK, Losses, Span, stripped
from laconic.servers.google.docs.reading.document import Tab
from laconic.servers.google.docs.reading.suggested import present

MONO: Final = "Roboto Mono"  # the font that code is written in
_MONO: Final = (
    *("Roboto Mono", "Courier New", "Courier", "Consolas", "Source Code Pro", "Inconsolata", "Ubuntu Mono"),
    *(
        "Menlo",
        "Monaco",
        "Fira Code",
        "Fira Mono",
        "JetBrains Mono",
        "Cousine",
        "Cutive Mono",
        "Anonymous Pro",
    ),
    *("IBM Plex Mono", "Space Mono", "DM Mono", "PT Mono"),
)
_UNSAID: Final = {  # by the key of a style: what it is called, where markdown has no sign for it
    "underline": "underlined text",
    "smallCaps": "small capitals",
    "backgroundColor": "highlighted text",
    "foregroundColor": "coloured text",
    "fontSize": "font sizes",
    "baselineOffset": "raised or lowered text",
}
_LINKED: Final = ("underline", "foregroundColor")  # links have them by themselves
_CHIPS: Final = {
    "pageBreak": "page breaks",
    "columnBreak": "column breaks",
    "equation": "equations",
    "autoText": "page numbers",
    "dropdown": "dropdowns",
}


def is_mono(style: Mapping[str, Any]) -> bool:
    """True for text in a font of letters that are equally wide."""
    return style.get("weightedFontFamily", {}).get("fontFamily") in _MONO


def link_of(style: Mapping[str, Any]) -> str:
    """Return the address that a text leads to; places in the document have addresses as in the browser."""
    link = style.get("link") or {}
    if "url" in link:
        return str(link["url"])
    heading = link.get("headingId") or link.get("heading", {}).get("id")
    bookmark = link.get("bookmarkId") or link.get("bookmark", {}).get("id")
    if heading or bookmark:
        return f"#heading={heading}" if heading else f"#bookmark={bookmark}"
    return f"?tab={link['tabId']}" if link.get("tabId") else ""


def spans_of(elements: Iterable[Mapping[str, Any]], tab: Tab, losses: Losses) -> list[Span]:
    """Return the elements of a paragraph as spans."""
    found: list[Span] = []
    for element in elements:
        kind = next((key for key in element if key not in ("startIndex", "endIndex")), "")
        one = element.get(kind) or {}
        if one.get("suggestedInsertionIds"):
            losses["suggestions"] += 1
            continue
        if one.get("suggestedDeletionIds") or one.get("suggestedTextStyleChanges"):
            losses["suggestions"] += 1
        if kind == "textRun":
            found.append(_text(one, losses))
        elif kind not in ("horizontalRule",):
            found += _object(kind, one, tab, losses)
    return found


def _text(run: Mapping[str, Any], losses: Losses) -> Span:
    text, style = run.get("content", "").rstrip("\n"), run.get("textStyle") or {}
    if not style:
        return Span(text)
    link = link_of(style)
    if text:
        _count_unsaid(style, link, losses)
    flags = (bool(style.get("bold")), bool(style.get("italic")), bool(style.get("strikethrough")))
    return Span(text, *flags, is_mono(style), link)


def _count_unsaid(style: Mapping[str, Any], link: str, losses: Losses) -> None:
    for key, words in _UNSAID.items():
        value = style.get(key)
        if value and value != "NONE" and not (link and key in _LINKED):
            losses[words] += 1
    if style.get("weightedFontFamily") and not is_mono(style):
        losses["fonts"] += 1


def _object(kind: str, one: Mapping[str, Any], tab: Tab, losses: Losses) -> list[Span]:
    if kind == "inlineObjectElement":
        return _image(one, tab, losses)
    if kind == "footnoteReference":
        content = tab.data.get("footnotes", {}).get(one.get("footnoteId"), {}).get("content", ())
        return [Span("", note=note_of(content, tab, losses))]
    if kind == "richLink":
        known = one.get("richLinkProperties", {})
        losses["links shown as chips"] += 1
        return [Span(known.get("title") or known.get("uri", ""), link=known.get("uri", ""))]
    if kind == "person":
        known = one.get("personProperties", {})
        losses["people"] += 1
        email = known.get("email", "")
        return [Span(known.get("name") or email, link=f"mailto:{email}" if email else "")]
    if kind == "dateElement":
        losses["dates"] += 1
        return [Span(one.get("dateElementProperties", {}).get("displayText", ""))]
    losses[_CHIPS.get(kind, "other elements")] += 1
    return []


def _image(one: Mapping[str, Any], tab: Tab, losses: Losses) -> list[Span]:
    known = tab.data.get("inlineObjects", {}).get(one.get("inlineObjectId"), {})
    inner = known.get("inlineObjectProperties", {}).get("embeddedObject", {})
    image = inner.get("imageProperties", {})
    address = image.get("sourceUri") or image.get("contentUri")
    if not address:
        losses["drawings"] += 1
        return []
    text = inner.get("description") or inner.get("title") or ""
    if text:
        losses["descriptions of images"] += 1
    return [Span(text, image=address)]


def note_of(content: Iterable[Mapping[str, Any]], tab: Tab, losses: Losses) -> tuple[Span, ...]:
    """Return the paragraphs of a footnote or a cell as one, with line breaks between them."""
    found: list[Span] = []
    for element in present(content):
        paragraph = element.get("paragraph")
        if paragraph is None:
            losses["tables in tables"] += 1
            continue
        if paragraph.get("bullet"):
            losses["lists in tables or footnotes"] += 1
        if found:
            losses["paragraphs in one cell or footnote"] += 1
            found.append(Span(BREAK))
        found += spans_of(paragraph.get("elements", ()), tab, losses)
    return stripped(found)
