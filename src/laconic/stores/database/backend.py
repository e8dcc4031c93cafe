"""Backend: what SQLite and PostgreSQL do differently, so that everything else is written once."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine
    from sqlalchemy.exc import DBAPIError

    from laconic.stores.database.trouble import Trouble
    from laconic.stores.database.watching import Watch

__all__ = ["Backend"]


class Backend(Protocol):
    """One kind of database."""

    label: str
    """What messages call it: never a path or a password."""

    def engine(self, writes: bool) -> Engine:
        """Return the engine for transactions that write, or for those that only read; opens it if need be."""

    def is_there(self) -> bool:
        """False if nothing has been created yet, and looking at it would create it."""

    def has_moved(self) -> bool:
        """True if what was opened is no longer what its address leads to."""

    def close(self) -> None:
        """Close all connections; the next use opens new ones."""

    def watch(self) -> Watch | None:
        """Open what tells whether something was written; None if that cannot be known."""

    def writes_of(self, connection: Connection) -> int | None:
        """Return how much a connection has written so far; None if that is not known."""

    def judge(self, error: DBAPIError) -> Trouble | None:
        """Return what an error of the driver means; None for a mistake in our own code."""

    def migrating(self, connection: Connection, patience: float) -> AbstractContextManager[None]:
        """Hold a transaction on the connection in which no other process migrates or writes."""

    def keep_copy(self, revision: str) -> None:
        """Copy the database as it is before the migration to a revision, where it is a file."""
