"""Lifecycle: archive, trash and the end; none of it changes an item's content, version or time of change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, select, update

from laconic.stores.errors import BadValue
from laconic.stores.shelf.ground import micros
from laconic.stores.shelf.items.editing import Editing
from laconic.stores.shelf.models import Action, By, Item
from laconic.stores.shelf.tables import ITEMS

__all__ = ["Lifecycle"]

_FACTS: Final = (ITEMS.c.n, ITEMS.c.id, ITEMS.c.kind, ITEMS.c.archived_at, ITEMS.c.deleted_at)


class Lifecycle(Editing):
    """Puts items away and brings them back."""

    def archive(self, id: str, by: By, at: datetime | None = None) -> Item:
        """Archive an item now, or at a time to come; until then it stays active."""
        row = self._alive(id)
        wanted = self._now if at is None else micros(at)
        is_same = row.archived_at == wanted or (at is None and self._state(row) == "archived")
        return self.get(id) if is_same else self._move(id, "archive", by, archived_at=wanted)

    def unarchive(self, id: str, by: By) -> Item:
        """Make an archived item active again, or forget when it was to be archived.

        Raises:
            BadValue: it is not archived.
        """
        if self._alive(id).archived_at is None:
            raise BadValue("It is not archived.", "state")
        return self._move(id, "unarchive", by, archived_at=None)

    def trash(self, id: str, by: By) -> Item:
        """Put an item into the trash: its name is free again.

        Raises:
            Missing: there is none, or it is there already.
        """
        self._alive(id)
        return self._move(id, "delete", by, deleted_at=self._now)

    def untrash(self, id: str, by: By) -> Item:
        """Bring an item back from the trash; it is active, also if it was archived before.

        Raises:
            BadValue: it is not in the trash.
            Taken: another item has its name now.
        """
        row = self._row(id, lock=True)
        if row.deleted_at is None:
            raise BadValue("It is not in the trash.", "state")
        self._refuse_taken(row.kind, row.name)
        return self._move(id, "undelete", by, deleted_at=None, archived_at=None)

    def purge(self, id: str) -> None:
        """Delete an item for good, with its history, links and labels, in whatever state it is."""
        row = self._row(id, lock=True)
        self._purge(row)

    def empty_trash(self, before: datetime, kinds: Sequence[str] = (), most: int | None = None) -> int:
        """Delete for good what was put into the trash before a time, of these kinds or of all.

        Returns how many it deleted: at most so many, if that is given.
        """
        query = select(*_FACTS).where(ITEMS.c.deleted_at < micros(before)).order_by(ITEMS.c.n)
        query = query.limit(most)
        query = query.where(ITEMS.c.kind.in_(kinds)) if kinds else query
        old = self._connection.execute(query.with_for_update()).all()
        for row in old:
            self._purge(row)
        return len(old)

    def _purge(self, row: Any) -> None:
        self._touch(row.kind)
        self._forget(row.n, row.kind)
        self._connection.execute(delete(ITEMS).where(ITEMS.c.n == row.n))
        self._tell(row.id, state=(self._state(row), None))

    def _move(self, id: str, action: Action, by: By, **times: int | None) -> Item:
        before = self._state(self._row(id))
        self._connection.execute(update(ITEMS).where(ITEMS.c.id == id).values(times))
        row = self._row(id)
        self._record(row, action, by)
        after = self._state(row)
        if after != before:
            self._tell(id, state=(before, after))
        else:
            self._tell(id, *times)
        return self.get(id)
