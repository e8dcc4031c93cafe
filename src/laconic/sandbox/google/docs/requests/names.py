"""Requests about named ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft, Segment
from laconic.sandbox.google.docs.editing import erase, insert_text
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.docs.requests.text import replace_range
from laconic.sandbox.google.papers.runs import Row
from laconic.sandbox.google.papers.units import cleaned, units
from laconic.sandbox.google.refusals import bad_request

__all__ = ["NAMES"]

_LONGEST: Final = 256


def _create(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))
    name = given.get("name", "")
    if not 1 <= units(name) <= _LONGEST:
        raise bad_request(f"The name of a range must have 1 to {_LONGEST} UTF-16 code units.")
    id = draft.new_id()
    segment.tab["names"].append({"id": id, "name": name, "ranges": [[segment.id, start, end]]})
    return {"createNamedRange": {"namedRangeId": id}}


def _found(draft: Draft, given: Row, name: str) -> list[tuple[Row, Row]]:
    """Return the named ranges that a request is about, each with its tab."""
    keys = [one for one in ("namedRangeId", name) if given.get(one)]
    if len(keys) != 1:
        raise bad_request(f"Exactly one of namedRangeId and {name} must be given.")
    [key] = keys
    field = "id" if key == "namedRangeId" else "name"
    tabs = draft.tabs(given.get("tabsCriteria"))
    found = [(tab, one) for tab in tabs for one in tab["names"] if one[field] == given[key]]
    if not found and field == "id":
        raise bad_request(f"The named range with ID {given[key]} was not found.")
    return found


def _delete(draft: Draft, given: Row) -> Row:
    for tab, one in _found(draft, given, "name"):
        tab["names"].remove(one)
    return {}


def _replace(draft: Draft, given: Row) -> Row:
    text = cleaned(given.get("text", ""))
    for tab, one in _found(draft, given, "namedRangeName"):
        if one not in tab["names"]:  # it went with the content of another one
            continue
        at, [[id, start, end]] = tab["names"].index(one), one["ranges"]
        _put(draft, Segment(tab, id, tab["segments"][id]), start, end, text)
        tab["names"] = [other for other in tab["names"] if other["id"] != one["id"]]
        if text:
            tab["names"].insert(at, {**one, "ranges": [[id, start, start + units(text)]]})
    return {}


def _put(draft: Draft, segment: Segment, start: int, end: int, text: str) -> None:
    if end < segment.end:
        replace_range(draft, segment, start, end, text)
        return
    erase(draft, segment, start, end)  # which refuses the last newline
    insert_text(draft, segment, start, text)


NAMES: Final[Mapping[str, DocRequest]] = {
    "createNamedRange": _create,
    "deleteNamedRange": _delete,
    "replaceNamedRangeContent": _replace,
}
