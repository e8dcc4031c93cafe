"""Holders: the shapes and cells that have text, and the range of it that a request is about."""

from __future__ import annotations

from typing import Any

from laconic.sandbox.google.decks.flow import Flow
from laconic.sandbox.google.decks.layouts import placeholder
from laconic.sandbox.google.decks.objects import Editing, element_of, refused
from laconic.sandbox.google.decks.tables import cell_at

__all__ = ["holder_of", "put", "span", "styled"]

Row = dict[str, Any]


def holder_of(editing: Editing, given: Row) -> Row:
    """Return the shape or cell whose text a request is about."""
    id = given.get("objectId", "")
    _let_notes_exist(editing.deck, id)
    element = element_of(editing.deck, id).element
    if "table" in element:
        if "cellLocation" not in given:
            raise refused(f"The object ({id}) is a table: the cell location must be specified.")
        return cell_at(element["table"], given["cellLocation"])
    if "cellLocation" in given:
        raise refused(f"The object ({id}) is not a table.")
    if "shape" not in element:
        raise refused(f"The object ({id}) does not allow text editing.")
    shape: Row = element["shape"]
    return shape


def _let_notes_exist(deck: Row, id: str) -> None:
    for slide in deck["slides"]:
        page = slide["slideProperties"]["notesPage"]
        is_there = any(one["objectId"] == id for one in page["pageElements"])
        if page["notesProperties"]["speakerNotesObjectId"] == id and not is_there:
            parent = deck["notesMaster"]["pageElements"][0]["objectId"]
            shape = placeholder(id, parent, "BODY", 1, 685_800, 4_343_400, 5_486_400, 4_114_800)
            page["pageElements"].append(shape)


def put(editing: Editing, holder: Row, flow: Flow) -> None:
    """Let a shape or cell have a text."""
    content = flow.content(editing.deck["presets"])
    if content is None:
        holder.pop("text", None)
    else:
        holder["text"] = content


def span(given: Row | None, flow: Flow, *, most: int) -> tuple[int, int]:
    """Return where a range begins and ends."""
    given = given or {}
    kind = given.get("type", "")
    start, end = given.get("startIndex", 0), given.get("endIndex", most)
    if kind == "ALL":
        start, end = 0, most
    elif kind == "FROM_START_INDEX":
        end = most
    elif kind != "FIXED_RANGE":
        raise refused("The type of the text range must be specified.")
    if kind == "FIXED_RANGE" and "endIndex" not in given:
        raise refused("The end index of the text range must be specified.")
    if end > most:
        text = f"The end index ({end}) should not be greater than the existing text length"
        raise refused(f"{text} ({most}).")
    if not 0 <= start < end:
        raise refused(f"The startIndex {start} must be less than the endIndex {end}.")
    return start, end


def styled(editing: Editing, given: Row) -> tuple[Row, Flow, int, int]:
    """Return the shape or cell that a request is about, its text, and the range in it."""
    holder = holder_of(editing, given)
    flow = Flow(holder.get("text"))
    if flow.length == 0:
        raise refused(f"The object ({given.get('objectId', '')}) has no text.")
    start, end = span(given.get("textRange"), flow, most=len(flow.cells))
    return holder, flow, start, end
