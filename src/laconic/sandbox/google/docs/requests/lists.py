"""Requests that make lists of paragraphs, and paragraphs of lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft, Segment
from laconic.sandbox.google.docs.editing import erase
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.places import changed, spot, walk
from laconic.sandbox.google.papers.presets import LEVELS, indents, new_list
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.refusals import bad_request

__all__ = ["LISTS"]


def _create(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))
    preset = given.get("bulletPreset", "BULLET_GLYPH_PRESET_UNSPECIFIED")
    if preset == "BULLET_GLYPH_PRESET_UNSPECIFIED":
        raise bad_request("A bullet preset is required.")
    touched = [(block, place) for block, place in walk(segment.blocks) if _overlaps(block, place, start, end)]
    if not touched:  # the range is between the cells of a table
        return {}
    list_id = _list_above(segment, touched[0][1], preset)
    if list_id is None:
        list_id = draft.new_id()
        segment.tab["lists"][list_id] = new_list(preset)
    id = list_id
    tabs = {place: _tabs(block) for block, place in touched}

    def listed(block: Row, place: int) -> Row:
        old = _bullet(block)
        level = min(old.get("nestingLevel", 0) + tabs[place], LEVELS - 1)
        bullet: Row = {"listId": id, "textStyle": old.get("textStyle", {})}
        if level:
            bullet["nestingLevel"] = level
        if draft.suggestion:
            return _suggested(draft, block, bullet)
        return {**block, "bullet": bullet, "style": {**block["style"], **indents(level)}}

    changed(segment.row, start, end, listed)
    for place, count in sorted(tabs.items(), reverse=True):
        if count:
            erase(draft, segment, place, place + count)
    return {}


def _bullet(block: Row) -> Row:
    """Return the bullet that a paragraph has, or would have with what was suggested last."""
    changes = [block.get("bullet"), *block.get("rebulleted", {}).values()]
    return changes[-1] or {}


def _suggested(draft: Draft, block: Row, bullet: Row | None) -> Row:
    draft.notes = draft.notes or ["Format: list"]
    return {**block, "rebulleted": {**block.get("rebulleted", {}), draft.suggestion: bullet}}


def _overlaps(block: Row, place: int, start: int, end: int) -> bool:
    return bool(place < end and place + block["size"] > start)


def _tabs(block: Row) -> int:
    text = block["runs"][0].get("text", "")
    return len(text) - len(text.lstrip("\t"))


def _list_above(segment: Segment, place: int, preset: str) -> str | None:
    """Return the list of the paragraph above, if it has the same signs."""
    here = spot(segment.blocks, place)
    above = here.blocks[here.at - 1] if here.at else {}
    id: str | None = above.get("bullet", {}).get("listId")
    return id if id is not None and segment.tab["lists"][id]["preset"] == preset else None


def _delete(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))

    def unlisted(block: Row, place: int) -> Row:
        if draft.suggestion:
            return _suggested(draft, block, None) if _bullet(block) else block
        if "bullet" not in block:
            return block
        style = dict(block["style"])
        if "indentStart" in style:  # the text stays where it is seen
            style["indentFirstLine"] = style["indentStart"]
        return {**{key: value for key, value in block.items() if key != "bullet"}, "style": style}

    changed(segment.row, start, end, unlisted)
    return {}


LISTS: Final[Mapping[str, DocRequest]] = {
    "createParagraphBullets": _create,
    "deleteParagraphBullets": _delete,
}
