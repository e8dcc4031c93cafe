"""Requests about tabs."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.masking import field_paths
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.documents import new_tab
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.papers.showing import tab_properties
from laconic.sandbox.google.refusals import bad_request
from laconic.text.graphemes import next_boundary

__all__ = ["TABS"]

_DEEPEST: Final = 2  # the level of a tab below a tab below a tab


def _add(draft: Draft, given: Row) -> Row:
    properties = given.get("tabProperties", {})
    tabs = draft.doc["tabs"]
    title = properties.get("title") or f"Tab {len(tabs) + 1}"
    tab = new_tab(draft.new_id("t."), title)
    tab["icon"] = _icon(properties.get("iconEmoji", ""))
    _place(draft, tab, properties.get("parentTabId", ""), properties.get("index"))
    return {"addDocumentTab": {"tabProperties": tab_properties(draft.doc["tabs"], tab)}}


def _place(draft: Draft, tab: Row, parent: str, index: int | None) -> None:
    """Put a tab below another one, or below none, at an index among its siblings."""
    tabs: list[Row] = draft.doc["tabs"]
    if parent and _level(draft, parent) + 1 > _DEEPEST:
        raise bad_request("Tabs cannot be nested deeper than three levels.")
    siblings = [one for one in tabs if one["parent"] == parent and one is not tab]
    if index is not None and not 0 <= index <= len(siblings):
        raise bad_request(f"The index of a tab must be between 0 and {len(siblings)}.")
    if tab in tabs:
        tabs.remove(tab)
    tab["parent"] = parent
    at = len(tabs) if index is None or index == len(siblings) else tabs.index(siblings[index])
    tabs.insert(at, tab)


def _level(draft: Draft, id: str) -> int:
    level, tab = 0, draft.tab(id)
    while tab["parent"]:
        level, tab = level + 1, draft.tab(tab["parent"])
    return level


def _icon(text: str) -> str:
    is_emoji = not text or (
        next_boundary(text, 1) == len(text) and any(unicodedata.category(one) == "So" for one in text)
    )
    if not is_emoji:
        raise bad_request("iconEmoji must be one emoji.")
    return text


def _named(draft: Draft, id: str) -> Row:
    if not id:
        raise bad_request("The ID of the tab is required.")
    return draft.tab(id)


def _with_below(draft: Draft, id: str) -> set[str]:
    found = {id}
    while more := {one["id"] for one in draft.doc["tabs"] if one["parent"] in found} - found:
        found |= more
    return found


def _delete(draft: Draft, given: Row) -> Row:
    gone = _with_below(draft, _named(draft, given.get("tabId", ""))["id"])
    kept = [one for one in draft.doc["tabs"] if one["id"] not in gone]
    if not kept:
        raise bad_request("The last tab of a document cannot be deleted.")
    draft.doc["tabs"] = kept
    return {}


def _update(draft: Draft, given: Row) -> Row:
    new = given.get("tabProperties", {})
    tab = _named(draft, new.get("tabId", ""))
    fields = given.get("fields", "")
    names = {path[0] for path in field_paths(fields, "TabProperties")}
    if fields.strip() != "*" and names & {"tabId", "nestingLevel"}:
        raise bad_request("The fields tabId and nestingLevel are read-only.")
    if "title" in names:
        if not new.get("title"):
            raise bad_request("The title of a tab must not be empty.")
        tab["title"] = new["title"]
    if "iconEmoji" in names:
        tab["icon"] = _icon(new.get("iconEmoji", ""))
    if names & {"index", "parentTabId"}:
        parent = new.get("parentTabId", "") if "parentTabId" in names else tab["parent"]
        if parent in _with_below(draft, tab["id"]):
            raise bad_request("A tab cannot be below itself.")
        _place(draft, tab, parent, new.get("index", 0) if "index" in names else None)
    return {}


TABS: Final[Mapping[str, DocRequest]] = {
    "addDocumentTab": _add,
    "deleteTab": _delete,
    "updateDocumentTabProperties": _update,
}
