"""The watch of a SQLite file: a number that a commit on any other connection changes."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable

from laconic.stores.database.watching import NUMBERS, Mark

__all__ = ["SqliteWatch"]


class SqliteWatch:
    """A connection that writes nothing, so that every commit is another connection's."""

    is_over = False

    def __init__(self, db: sqlite3.Connection, has_moved: Callable[[], bool]) -> None:
        self._db = db
        self._has_moved = has_moved
        self._number = next(NUMBERS)
        self._found: Mark | None = None
        self._is_fresh = False
        db.execute("PRAGMA busy_timeout = 0")  # it is asked in the event loop

    async def look(self) -> Mark | None:
        """Return the mark of what is there now.

        One look serves everything that was ready to run when it was made: all that was asked for before. What
        becomes ready later runs after `_age`, since the event loop keeps their order.
        """
        if not self._is_fresh:
            self._found, self._is_fresh = self._read(), True
            asyncio.get_running_loop().call_soon(self._age)
        return self._found

    def _read(self) -> Mark | None:
        if self._has_moved():
            return None
        try:
            found = self._db.execute("PRAGMA data_version").fetchall()  # all: no transaction stays open
        except sqlite3.Error:
            return None
        return self._number, found[0][0]

    def _age(self) -> None:
        self._is_fresh = False

    def close(self) -> None:
        """Close the connection."""
        self._db.close()
