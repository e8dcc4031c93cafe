"""Requests about protected ranges: they are kept and shown, and nobody is kept from anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from laconic.sandbox.google.books.a1 import grid_area
from laconic.sandbox.google.books.book import Row
from laconic.sandbox.google.sheets.requests import Request
from laconic.sandbox.google.sheets.requests.structure import masked_update, named_range, refused

__all__ = ["PROTECTIONS"]


def _all(book: Row) -> list[tuple[list[Row], Row]]:
    """Return all protected ranges, each with the list that it is in."""
    lists = [sheet.get("protectedRanges", []) for sheet in book["sheets"]]
    return [(among, one) for among in lists for one in among]


def _found(book: Row, id: int) -> tuple[list[Row], Row]:
    for among, one in _all(book):
        if one["protectedRangeId"] == id:
            return among, one
    raise refused(f"No protected range with ID: {id}")


def _add(book: Row, given: Row) -> Row:
    new = {"requestingUserCanEdit": True, **given.get("protectedRange", {})}
    if "namedRangeId" in new:
        new["range"] = dict(named_range(book, new["namedRangeId"])["range"])
    sheet = grid_area(book, new.get("range", {})).sheet
    ids = {one["protectedRangeId"] for _, one in _all(book)}
    id = new.setdefault("protectedRangeId", max(ids, default=0) + 1)
    if id in ids:
        raise refused(f"A protected range with ID {id} already exists.")
    sheet.setdefault("protectedRanges", []).append(new)
    return {"addProtectedRange": {"protectedRange": new}}


def _update(book: Row, given: Row) -> Row:
    new = given.get("protectedRange", {})
    among, old = _found(book, new.get("protectedRangeId", 0))
    masked_update(old, new, given.get("fields", ""))
    sheet = grid_area(book, old.get("range", {})).sheet
    among.remove(old)
    sheet.setdefault("protectedRanges", []).append(old)
    return {}


def _delete(book: Row, given: Row) -> Row:
    among, one = _found(book, given.get("protectedRangeId", 0))
    among.remove(one)
    return {}


PROTECTIONS: Final[Mapping[str, Request]] = {
    "addProtectedRange": _add,
    "deleteProtectedRange": _delete,
    "updateProtectedRange": _update,
}
