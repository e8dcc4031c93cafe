"""Putting away: archive, trash and the end of items, in one moment with a check of what is expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.kit import Failure
from laconic.library.expecting import Expected
from laconic.library.items import LibraryItems
from laconic.stores import Item, Shelf, Taken
from laconic.web.collections.collection import Collection

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["ExpectedItems"]


class ExpectedItems(LibraryItems):
    """The items of one collection, for one request."""

    def __init__(self, shelf: Shelf, collection: Collection, expected: Expected) -> None:
        super().__init__(shelf, [collection.word])
        self._of = collection
        self._expected = expected
        self._last: Item | None = None

    def _found(self, desk: Desk, id: str) -> Item:
        item = self._last = self._of.find(desk, {"id": id})
        self._expected.check(item)
        return item

    def _conflict(self, taken: Taken) -> Failure:
        assert self._last is not None
        return self._of.conflict(self._last, taken)
