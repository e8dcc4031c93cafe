"""Opening the user's library for a server, with its daily copies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from laconic.kit import Home
from laconic.library.copies import DailyCopies
from laconic.stores import Database, ItemKind, Shelf

__all__ = ["opened_shelf"]


@asynccontextmanager
async def opened_shelf(home: Home, kinds: Sequence[ItemKind]) -> AsyncIterator[Shelf]:
    """Open the library; while it is open, its file is copied once a day."""
    database = Database(home.database, [Shelf.schema])
    copies = DailyCopies(home.database, home.database_copies)
    copies.start()
    try:
        yield Shelf(database, kinds)
    finally:
        await copies.close()
        await database.close()
