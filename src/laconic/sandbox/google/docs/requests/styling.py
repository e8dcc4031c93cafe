"""Requests that style text and paragraphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft, Segment
from laconic.sandbox.google.docs.masking import field_paths, masked_style
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.blocks import paragraph
from laconic.sandbox.google.papers.places import changed, spot
from laconic.sandbox.google.papers.runs import Row, split
from laconic.sandbox.google.refusals import bad_request

__all__ = ["STYLING", "text_change"]

_LINK: Final = {"color": {"rgbColor": {"red": 0.06666667, "green": 0.33333334, "blue": 0.8}}}
_FIXED: Final = ("headingId", "tabStops")  # of a paragraph's style
Paths = list[list[str]]


def text_change(given: Row, fields: str) -> tuple[Row, Paths]:
    """Return the style that a request sets, and the paths of what it sets or resets.

    Raises:
        GoogleRefusal: the mask or the font does not fit.
    """
    style, paths = dict(given), field_paths(fields, "TextStyle")
    named = {path[0] for path in paths}
    if "weightedFontFamily" in named and "weightedFontFamily" in style:
        font = style["weightedFontFamily"]
        if not font.get("fontFamily"):
            raise bad_request("weightedFontFamily must have a font family that is not empty.")
        style["weightedFontFamily"] = {"weight": 400, **font}
    if "link" in named:  # a link brings its looks, and takes them along when it goes
        for name, value in (("foregroundColor", _LINK), ("underline", True)):
            if name not in named:
                paths.append([name])
                style.pop(name, None)
                if style.get("link"):
                    style[name] = value
        if not style.get("link"):
            style.pop("link", None)
    return style, paths


def _update_text(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))
    style, paths = text_change(given.get("textStyle", {}), given.get("fields", ""))
    styles = segment.tab["styles"]

    def restyled(block: Row, place: int) -> Row:
        first, last = max(start - place, 0), min(end - place, block["size"])
        is_whole = first == 0 and last >= block["size"] - 1
        last = block["size"] if is_whole else last
        left, rest = split(block["runs"], first)
        inner, right = split(rest, last - first)
        parent = _parent(styles, block)
        looks = [_lean(masked_style(run["style"], style, paths), parent) for run in inner]
        new = [restyle(draft, run, look, paths) for run, look in zip(inner, looks, strict=True)]
        more = {}
        if is_whole and "bullet" in block and not draft.suggestion:
            old = block["bullet"].get("textStyle", {})
            more["bullet"] = {**block["bullet"], "textStyle": masked_style(old, style, paths)}
        return paragraph([*left, *new, *right], block, **more)

    changed(segment.row, start, end, restyled)
    return {}


def restyle(draft: Draft, thing: Row, style: Row, paths: Paths) -> Row:
    """Return a run or a paragraph with another style, which in suggestion mode is a suggestion."""
    if not draft.suggestion:
        return {**thing, "style": style}
    fields = sorted({path[0] for path in paths})
    draft.notes = draft.notes or [f"Format: {', '.join(fields)}"]
    new = {draft.suggestion: {"style": style, "fields": fields}}
    return {**thing, "restyled": {**thing.get("restyled", {}), **new}}


def _parent(styles: Row, block: Row) -> Row:
    name = block["style"].get("namedStyleType", "NORMAL_TEXT")
    return {**styles["NORMAL_TEXT"]["textStyle"], **styles[name]["textStyle"]}


def _lean(style: Row, parent: Row) -> Row:
    """Leave out what a style has from its parent anyway."""
    return {name: value for name, value in style.items() if parent.get(name) != value}


def _update_paragraph(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))
    style, fields = given.get("paragraphStyle", {}), given.get("fields", "")
    paths = field_paths(fields, "ParagraphStyle")
    if fields.strip() == "*":
        paths = [path for path in paths if path[0] not in _FIXED]
    for path in paths:
        if path[0] in _FIXED:
            raise bad_request(f"The field {path[0]} is read-only.")
        if path == ["pageBreakBefore"] and style.get("pageBreakBefore"):
            _check_page_break(segment, start)

    def restyled(block: Row, place: int) -> Row:
        new = {"namedStyleType": "NORMAL_TEXT", "direction": "LEFT_TO_RIGHT"}
        new |= masked_style(block["style"], style, paths)
        return draft.with_heading(restyle(draft, block, new, paths))

    changed(segment.row, start, end, restyled)
    return {}


def _check_page_break(segment: Segment, start: int) -> None:
    if segment.id or spot(segment.blocks, start).path:
        raise bad_request(
            "A page break before a paragraph is possible in the body and outside of tables alone."
        )


STYLING: Final[Mapping[str, DocRequest]] = {
    "updateParagraphStyle": _update_paragraph,
    "updateTextStyle": _update_text,
}
