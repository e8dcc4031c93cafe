"""Requests about lists: paragraphs get bullets or numbers, or lose them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.sandbox.google.decks.bullets import DEFAULT
from laconic.sandbox.google.decks.flow import Flow
from laconic.sandbox.google.decks.objects import Editing
from laconic.sandbox.google.slides.requests import SlideRequest
from laconic.sandbox.google.slides.requests.holders import put, styled

__all__ = ["LISTS"]

Row = dict[str, Any]
_STEP: Final = 36  # points that a level of a list is further in


def _bullets(editing: Editing, given: Row) -> Row:
    holder, flow, start, end = styled(editing, given)
    presets, preset = editing.deck["presets"], given.get("bulletPreset") or DEFAULT
    list_id = _list_before(flow, start, preset, presets)
    if not list_id:
        list_id = f"list{len(presets) + 1}"
        presets[list_id] = preset
    for first, cell in reversed(list(flow.paragraphs(start, end))):
        level = 0
        while flow.cells[first].unit == "\t":
            del flow.cells[first]
            level = min(level + 1, 8)
        style = {**(cell.mark or {}).get("style", {})}
        style |= {"indentStart": _points(_STEP * (level + 1)), "indentFirstLine": _points(_STEP * level + 18)}
        bullet = {"listId": list_id, **({"nestingLevel": level} if level else {})}
        cell.mark = {"style": style, "bullet": bullet}
    put(editing, holder, flow)
    return {}


def _points(magnitude: float) -> Row:
    return {"magnitude": magnitude, "unit": "PT"}


def _list_before(flow: Flow, start: int, preset: str, presets: Mapping[str, str]) -> str:
    first = next(first for first, _ in flow.paragraphs(start, start + 1))
    if first == 0:
        return ""
    mark = flow.cells[first - 1].mark or {}
    id = str(mark.get("bullet", {}).get("listId", ""))
    return id if presets.get(id) == preset else ""


def _no_bullets(editing: Editing, given: Row) -> Row:
    holder, flow, start, end = styled(editing, given)
    for _, cell in flow.paragraphs(start, end):
        cell.mark = {key: value for key, value in (cell.mark or {}).items() if key != "bullet"}
    put(editing, holder, flow)
    return {}


LISTS: Final[Mapping[str, SlideRequest]] = {
    "createParagraphBullets": _bullets,
    "deleteParagraphBullets": _no_bullets,
}
