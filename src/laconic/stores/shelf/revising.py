"""Revising: a number for each kind of item that every change increases, so that a list can be kept.

The numbers are times, so that none comes again in another library at the same address: one that was started
again, or a copy that somebody has put there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, case, func, insert, select, update

from laconic.stores.shelf.ground import Ground, moment
from laconic.stores.shelf.models import ItemKind
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, REVISIONS, TAGS

__all__ = ["Revising"]


class Revising(Ground):
    """Counts changes: once for a transaction, however many it makes. Uses are no changes."""

    def __init__(self, connection: Connection, kinds: Mapping[str, ItemKind], now: datetime) -> None:
        super().__init__(connection, kinds, now)
        self._touched: set[str] = set()

    def revision(self, kinds: Sequence[str]) -> int:
        """Return a number that each change of an item of these kinds increases."""
        query = select(func.coalesce(func.sum(REVISIONS.c.number), 0)).where(REVISIONS.c.kind.in_(kinds))
        return int(self._connection.execute(query).scalar_one())

    def next_archiving(self, kinds: Sequence[str] | None = None) -> datetime | None:
        """Return when the next item, or of these kinds, will be archived: a change that nobody makes."""
        waits = ITEMS.c.deleted_at.is_(None) & (ITEMS.c.archived_at > self._now)
        if kinds is not None:
            waits &= ITEMS.c.kind.in_(kinds)
        first: int | None = self._connection.scalar(select(func.min(ITEMS.c.archived_at)).where(waits))
        return None if first is None else moment(first)

    def finish(self) -> None:
        """Count the changes of this transaction, as its last act: others wait for the numbers."""
        for kind in sorted(self._touched):
            is_it = REVISIONS.c.kind == kind
            number = case((REVISIONS.c.number < self._now, self._now), else_=REVISIONS.c.number + 1)
            if not self._connection.execute(update(REVISIONS).where(is_it).values(number=number)).rowcount:
                self._connection.execute(insert(REVISIONS).values(kind=kind, number=self._now))
        self._touched.clear()

    def _touch(self, kind: str) -> None:
        self._touched.add(kind)

    def _touch_tagged(self, tag: int) -> None:
        """Count a change of every kind of item that has a tag."""
        query = select(ITEMS.c.kind).distinct().join(ITEM_TAGS, ITEM_TAGS.c.item == ITEMS.c.n)
        self._touched.update(self._connection.scalars(query.join(TAGS).where(TAGS.c.n == tag)))
