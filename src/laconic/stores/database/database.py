"""Database: work on a connection runs in one thread and one transaction, again if others were in the way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from anyio import CapacityLimiter, to_thread

from laconic.stores.database.address import file_of, open_backend
from laconic.stores.errors import Gone, nothing_written

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from laconic.stores.database.backend import Backend
    from laconic.stores.database.schema import Schema
    from laconic.stores.database.watching import Mark, Watch

__all__ = ["Database"]

_PATIENCE: Final = 5.0  # seconds
_AGAIN: Final = 10.0  # seconds until a watch that could not be opened is tried again

T = TypeVar("T")
Work = Callable[["Connection"], T]


class Database:
    """SQLite by a file's name, or PostgreSQL by `postgresql://…`; opened and migrated on first use.

    SQLAlchemy is imported then, too: a server that nobody asks for anything does not pay for it.
    """

    def __init__(
        self, address: str | Path, schemas: Sequence[Schema] = (), *, patience: float = _PATIENCE
    ) -> None:
        self._address = address
        self._schemas = tuple(schemas)
        self._patience = patience
        self._opening = threading.Lock()
        self._backend: Backend | None = None
        self._watched: tuple[Backend, Watch] | None = None
        self._watches_at = inf  # when the next read may open a watch; never, as long as nobody asks for marks
        # Tasks wait for these without a thread, in the order in which they came. SQLite has one writer.
        is_file = file_of(address) is not None
        self._writing, self._reading = CapacityLimiter(1 if is_file else 4), CapacityLimiter(4)

    async def run(self, work: Work[T]) -> T:
        """Do work that may write, in a transaction of its own: all of it is kept, or nothing.

        The work may run more than once, so it changes nothing but the database. What it raises undoes it.

        Raises:
            StoreDown: the database cannot be used; `harmless` is True if certainly nothing was written.
        """
        return await to_thread.run_sync(self._do, work, True, limiter=self._writing)

    async def read(self, work: Work[T]) -> T:
        """Do work that only reads; all its statements see the same moment, and no writer waits for it."""
        return await to_thread.run_sync(self._do, work, False, limiter=self._reading)

    async def mark(self) -> Mark | None:
        """Return a mark that equals an earlier one only if nothing was written in between, by any process.

        What is made from a read that began after a mark is good as long as the mark is the same. None if that
        is not known, as before the first read. It takes microseconds, and a message on PostgreSQL.
        """
        watch = self._watch_of_now()
        return None if watch is None else await watch.look()

    async def pending(self) -> list[str]:
        """Return the migrations that the next use would apply, without applying or creating anything."""
        return await to_thread.run_sync(self._pending, limiter=self._reading)

    async def close(self) -> None:
        """Close all connections; the next use opens new ones."""
        self._stop_watching()
        self._watches_at = inf  # whoever asks for a mark next gets one from the next read
        backend, self._backend = self._backend, None
        if backend is not None:
            await to_thread.run_sync(backend.close)

    def _do(self, work: Work[T], writes: bool) -> T:
        from laconic.stores.database.attempts import Attempts  # here, in the thread: it imports SQLAlchemy
        from laconic.stores.database.migrating import refuse_newer

        backend = self._opened()

        def checked(connection: Connection) -> T:
            refuse_newer(connection, self._schemas, backend.label)
            return work(connection)

        done = Attempts(backend, self._patience).transaction(checked if writes else work, writes)
        if time.monotonic() >= self._watches_at:
            self._watch(backend)
        return done

    def _watch_of_now(self) -> Watch | None:
        """Return the watch, if it knows anything; if there is none, the next read opens it."""
        if self._watched is None:
            if self._watches_at == inf:
                self._watches_at = time.monotonic()
            return None
        backend, watch = self._watched
        if watch.is_over or backend is not self._backend:
            self._stop_watching()
            return None
        return watch

    def _watch(self, backend: Backend) -> None:
        """Open the watch, which nobody waits for: without it nothing is kept."""
        with self._opening:
            if self._watched is None:
                self._watches_at = time.monotonic() + _AGAIN
                with suppress(Exception):
                    watch = backend.watch()
                    self._watched = None if watch is None else (backend, watch)

    def _stop_watching(self) -> None:
        watched, self._watched = self._watched, None
        if watched is not None:
            watched[1].close()

    def _opened(self) -> Backend:
        backend = self._backend
        with nothing_written():
            if backend is None:
                with self._opening:
                    return self._backend or self._ready()
            if backend.has_moved():
                self._backend = None
                backend.close()
                raise Gone(f"{backend.label} was moved, deleted or replaced.")
        return backend

    def _ready(self) -> Backend:
        backend = open_backend(self._address, self._patience)
        try:
            if self._missing(backend):
                self._migrate(backend)
        except BaseException:
            backend.close()
            raise
        self._backend = backend
        return backend

    def _missing(self, backend: Backend) -> list[str]:
        from laconic.stores.database.attempts import Attempts
        from laconic.stores.database.migrating import missing

        def work(connection: Connection) -> list[str]:
            found = {schema.name: missing(connection, schema, backend.label) for schema in self._schemas}
            return [f"{name} {revision}" for name, revisions in found.items() for revision in revisions]

        return Attempts(backend, self._patience).transaction(work, writes=False)

    def _migrate(self, backend: Backend) -> None:
        from laconic.stores.database.attempts import Attempts
        from laconic.stores.database.migrating import migrate

        Attempts(backend, self._patience).make(lambda: migrate(backend, self._schemas))

    def _pending(self) -> list[str]:
        backend = self._backend or open_backend(self._address, self._patience)
        try:
            return self._missing(backend) if backend.is_there() else []
        finally:
            if backend is not self._backend:
                backend.close()
