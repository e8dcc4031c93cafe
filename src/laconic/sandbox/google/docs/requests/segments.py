"""Requests that create and delete headers, footers and footnotes, and insert breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.editing import insert, insert_block, insert_element, paragraph_at, renumber
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.blocks import empty_paragraph, paragraph, section_break
from laconic.sandbox.google.papers.places import spot
from laconic.sandbox.google.papers.runs import Row, element_run, text_run
from laconic.sandbox.google.refusals import bad_request

__all__ = ["SEGMENTS"]


def _create(draft: Draft, given: Row, kind: str) -> Row:
    if given.get("type", "DEFAULT") != "DEFAULT":
        raise bad_request(f"The type of the {kind} is required.")
    name = f"default{kind.title()}Id"
    location = given.get("sectionBreakLocation")
    segment = draft.segment(location or {})
    index = draft.index(segment, location.get("index", 0)) if location else 0
    here = spot(segment.blocks, index)
    if segment.id or "section" not in here.block:
        raise bad_request(f"There is no section break at index {index}.")
    style = segment.tab["style"] if here.at == 0 else here.block["section"]
    if name in style:
        raise bad_request(f"A default {kind} already exists with the ID {style[name]}.")
    id = draft.new_id()
    if here.at == 0:
        style[name] = id
    else:
        segment.blocks[here.at] = {**here.block, "section": {**style, name: id}}
    segment.tab["segments"][id] = {"kind": kind, "blocks": [empty_paragraph()]}
    return {f"create{kind.title()}": {f"{kind}Id": id}}


def _delete(draft: Draft, given: Row, kind: str) -> Row:
    tab, id = draft.tab(given.get("tabId", "")), given.get(f"{kind}Id", "")
    if tab["segments"].get(id, {}).get("kind") != kind:
        raise bad_request(f"The {kind} with ID {id} was not found.")
    del tab["segments"][id]
    tab["style"] = _without(tab["style"], id)
    blocks = tab["segments"][""]["blocks"]
    for at, block in enumerate(blocks):
        if "section" in block and id in block["section"].values():
            blocks[at] = {**block, "section": _without(block["section"], id)}
    tab["names"] = [one for one in tab["names"] if one["ranges"][0][0] != id]
    return {}


def _without(style: Row, id: str) -> Row:
    return {name: value for name, value in style.items() if value != id}


def _footnote(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given, body_only="Footnotes")
    id = draft.new_id()
    reference = {"footnoteId": id, "footnoteNumber": "1"}
    insert_element(draft, segment, index, "footnoteReference", reference)
    segment.tab["segments"][id] = {"kind": "footnote", "blocks": [paragraph([text_run(" \n")])]}
    renumber(segment.tab)
    return {"createFootnote": {"footnoteId": id}}


def _page_break(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given, body_only="Page breaks")
    if paragraph_at(segment, index).path:
        raise bad_request("Page breaks cannot be inserted inside a table.")
    insert(draft, segment, index, [element_run("pageBreak", {}), text_run("\n")])
    return {}


def _section_break(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given, body_only="Section breaks")
    kind = given.get("sectionType", "SECTION_TYPE_UNSPECIFIED")
    if kind == "SECTION_TYPE_UNSPECIFIED":
        raise bad_request("The type of the section is required.")
    if paragraph_at(segment, index).path:
        raise bad_request("Section breaks cannot be inserted inside a table.")
    insert_block(draft, segment, index, section_break({"sectionType": kind}))
    return {}


SEGMENTS: Final[Mapping[str, DocRequest]] = {
    "createFooter": lambda draft, given: _create(draft, given, "footer"),
    "createFootnote": _footnote,
    "createHeader": lambda draft, given: _create(draft, given, "header"),
    "deleteFooter": lambda draft, given: _delete(draft, given, "footer"),
    "deleteHeader": lambda draft, given: _delete(draft, given, "header"),
    "insertPageBreak": _page_break,
    "insertSectionBreak": _section_break,
}
