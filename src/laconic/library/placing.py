"""Placing: what a change says about an item besides its fields, in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from laconic.kit import UNSET, NotFound, Unset
from laconic.stores import By, Item

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["AS_IT_IS", "Placing"]


@dataclass(frozen=True)
class Placing:
    """The links that an item should have, and when it is archived; what is not given stays."""

    links: Mapping[str, str | None] | None = None  # ids of other items, and why
    archived_at: datetime | Unset | None = UNSET  # None: active again
    kinds: Mapping[str, str] = field(default_factory=dict)  # what some of the other items are said to be

    def hold(self, desk: Desk, id: str) -> None:
        """Lock the item with those that it is to be linked to, before it is changed."""
        if self.links is not None:
            desk.hold_linked(id, self.links)

    def apply(self, desk: Desk, item: Item, by: By) -> list[str]:
        """Write it, and return which of the two changed.

        Raises:
            NotFound: an item to link is of another kind than is said.
        """
        changed = []
        for id, kind in self.kinds.items():
            if desk.get(id).kind != kind:
                raise NotFound(kind.capitalize(), id)
        if self.links is not None and desk.set_links(item.id, self.links, by):
            changed.append("links")
        if not isinstance(self.archived_at, Unset) and self._put_away(desk, item, self.archived_at, by):
            changed.append("archived_at")
        return changed

    @staticmethod
    def _put_away(desk: Desk, item: Item, at: datetime | None, by: By) -> bool:
        if at is None:
            return item.archived_at is not None and bool(desk.unarchive(item.id, by))
        return desk.archive(item.id, by, at).archived_at != item.archived_at


AS_IT_IS: Final = Placing()
"""Nothing is said about links and archive."""
