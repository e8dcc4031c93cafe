"""Requests that style the document, its sections, and its named styles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.masking import field_paths, masked_style
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import bad_request

__all__ = ["PAGES"]

_MOST: Final = 3  # columns of a section
_MARGINS: Final = ("marginTop", "marginBottom", "marginLeft", "marginRight")
_SIDES: Final = ("Header", "Footer")
_FIXED: Final = {f"{page}{side}Id" for page in ("default", "evenPage", "firstPage") for side in _SIDES}


def _paths(given: Row, kind: str, fixed: set[str]) -> list[list[str]]:
    """Return the paths of a mask; those that cannot be changed are refused, or left out of `*`."""
    fields = given.get("fields", "")
    paths = field_paths(fields, kind)
    for path in paths if fields.strip() != "*" else ():
        if path[0] in fixed:
            raise bad_request(f"The field {path[0]} is read-only.")
    return [path for path in paths if path[0] not in fixed]


def _document(draft: Draft, given: Row) -> Row:
    tab, style = draft.tab(given.get("tabId", "")), given.get("documentStyle", {})
    paths = _paths(given, "DocumentStyle", {*_FIXED, "useCustomHeaderFooterMargins"})
    tab["style"] = masked_style(tab["style"], style, paths)
    cleared = {path[0] for path in paths} & set(_MARGINS)
    blocks = tab["segments"][""]["blocks"]
    for at, block in enumerate(blocks):
        if "section" in block and cleared & set(block["section"]):
            kept = {name: value for name, value in block["section"].items() if name not in cleared}
            blocks[at] = {**block, "section": kept}
    return {}


def _section(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))
    if segment.id:
        raise bad_request("Sections are in the body alone.")
    style = given.get("sectionStyle", {})
    paths = _paths(given, "SectionStyle", {*_FIXED, "sectionType"})
    for path in paths:
        if path[0] not in style:
            raise bad_request(f"The field {path[0]} must have a value.")
    if len(style.get("columnProperties", ())) > _MOST:
        raise bad_request(f"A section can have {_MOST} columns at most.")
    if any(path[0] in ("marginHeader", "marginFooter") for path in paths):
        segment.tab["style"]["useCustomHeaderFooterMargins"] = True
    breaks, place = [], 0
    for at, block in enumerate(segment.blocks):
        if "section" in block:
            breaks.append((at, place))
        place += block["size"]
    for (at, first), last in zip(breaks, [*(one[1] for one in breaks[1:]), place], strict=True):
        if first < end and last > start:
            block = segment.blocks[at]
            segment.blocks[at] = {**block, "section": masked_style(block["section"], style, paths)}
    return {}


def _named(draft: Draft, given: Row) -> Row:
    tab, style = draft.tab(given.get("tabId", "")), given.get("namedStyle", {})
    name = style.get("namedStyleType", "")
    paths = field_paths(given.get("fields", ""), "NamedStyle")
    if ["namedStyleType"] not in paths or name not in tab["styles"]:
        raise bad_request("The type of the named style must be given, and named in 'fields'.")
    deep = [path for path in paths if len(path) > 1]
    whole = [path for path in paths if len(path) == 1 and path[0] != "namedStyleType"]
    whole = [path for path in whole if not any(other[0] == path[0] for other in deep)]
    found = masked_style(tab["styles"][name], style, [*whole, *deep])
    tab["styles"][name] = {"textStyle": {}, "paragraphStyle": {}, **found}
    return {}


PAGES: Final[Mapping[str, DocRequest]] = {
    "updateDocumentStyle": _document,
    "updateNamedStyle": _named,
    "updateSectionStyle": _section,
}
