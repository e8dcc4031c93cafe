"""Opening the user's library for a server, with its chores: daily copies, and the trash."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from laconic.kit import Home
from laconic.library.chores import Chore, Chores
from laconic.library.copies import DailyCopies
from laconic.library.trash import empty_trash
from laconic.stores import Database, ItemKind, Shelf

__all__ = ["opened_shelf"]


@asynccontextmanager
async def opened_shelf(
    home: Home, kinds: Sequence[ItemKind], trash_days: float | None = None
) -> AsyncIterator[Shelf]:
    """Open the library; while it is open, its file is copied once a day.

    What has been in the trash for `trash_days` is deleted for good, if it is of these kinds.
    """
    database = Database(home.database, [Shelf.schema])
    shelf = Shelf(database, kinds)
    chores = Chores(_chores(home, shelf, [kind.word for kind in kinds], trash_days))
    chores.start()
    try:
        yield shelf
    finally:
        await chores.close()
        await database.close()


def _chores(home: Home, shelf: Shelf, kinds: Sequence[str], trash_days: float | None) -> list[Chore]:
    copies, chores = DailyCopies(home.database, home.database_copies), list[Chore]()
    if copies.are_wanted:
        chores.append(lambda: asyncio.to_thread(copies.make))
    if trash_days is not None:
        chores.append(lambda: empty_trash(shelf, kinds, trash_days))
    return chores
