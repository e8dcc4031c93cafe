"""Shelf: items in a database; a function of a desk is one thread hop and one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from laconic.stores.database.schema import Schema
from laconic.stores.shelf.models import ItemKind

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from laconic.stores.database.database import Database
    from laconic.stores.shelf.desk import Desk

__all__ = ["Shelf"]

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
T = TypeVar("T")


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

    async def run(self, work: Callable[[Desk], T]) -> T:
        """Do work that may write: all of it is kept, or nothing; it may run more than once."""
        return await self._database.run(lambda connection: self._finished(connection, work))

    async def read(self, work: Callable[[Desk], T]) -> T:
        """Do work that only reads, at one moment."""
        return await self._database.read(lambda connection: work(self._desk(connection)))

    def _finished(self, connection: Connection, work: Callable[[Desk], T]) -> T:
        desk = self._desk(connection)
        found = work(desk)
        desk.finish()
        return found

    def _desk(self, connection: Connection) -> Desk:
        from laconic.stores.shelf.desk import Desk  # here, in the thread: it imports SQLAlchemy

        return Desk(connection, self._kinds, self._now())
