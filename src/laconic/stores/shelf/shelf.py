"""Shelf: items in a database; a function of a desk is one thread hop and one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from laconic.effects import note_change
from laconic.stores.database.schema import Schema
from laconic.stores.shelf.models import ItemKind

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from laconic.stores.database.database import Database
    from laconic.stores.database.watching import Mark
    from laconic.stores.shelf.desk import Desk

__all__ = ["Shelf"]

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
T = TypeVar("T")
Told = list[tuple[str, tuple[str, ...], dict[str, tuple[Any, Any]]]]


class Shelf:
    """Items of any kind, in a database that was opened with `Shelf.schema`."""

    schema: ClassVar = Schema("shelf", _MIGRATIONS)

    def __init__(
        self,
        database: Database,
        kinds: Sequence[ItemKind] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database = database
        self._kinds = {kind.word: kind for kind in kinds}
        self._now = now
        self._seen: Mark | None = None  # the last mark of the database
        self._until: datetime | None = None  # when the next item will be archived
        self._is_until_known = False

    async def run(self, work: Callable[[Desk], T]) -> T:
        """Do work that may write: all of it is kept, or nothing; it may run more than once.

        What it changed is noted for the journal of calls, once it is kept.
        """
        found, told = await self._database.run(lambda connection: self._finished(connection, work))
        for id, texts, fields in told:
            note_change(id, *texts, **fields)
        return found

    async def read(self, work: Callable[[Desk], T]) -> T:
        """Do work that only reads, at one moment."""
        return await self._database.read(lambda connection: work(self._desk(connection)))

    async def pending(self) -> list[str]:
        """Return the migrations that the next use would apply, without applying or creating anything."""
        return await self._database.pending()

    async def mark(self, learns: bool = False) -> Mark | None:
        """Return a mark that equals an earlier one only if all items are what they were, for any process.

        None if that is not known. So it is after a change, until somebody who `learns` asks for the second
        time: when the next item will be archived must be read, and the next change may come before.
        """
        found = await self._database.mark()
        if found is None or found != self._seen or self._is_past():
            self._seen, self._until, self._is_until_known = found, None, False
            return None
        if self._is_until_known:
            return found, self._until
        if not learns:
            return None
        until = await self.read(lambda desk: desk.next_archiving())
        if found == self._seen:
            self._until, self._is_until_known = until, True
        return found, until

    def _is_past(self) -> bool:
        """True if an item was archived since: by the time that was set for it, so nobody wrote anything."""
        return self._until is not None and self._now() >= self._until

    def _finished(self, connection: Connection, work: Callable[[Desk], T]) -> tuple[T, Told]:
        desk = self._desk(connection)
        found = work(desk)
        desk.finish()
        return found, desk.told

    def _desk(self, connection: Connection) -> Desk:
        from laconic.stores.shelf.desk import Desk  # here, in the thread: it imports SQLAlchemy

        return Desk(connection, self._kinds, self._now())
