"""SQLite: one file in WAL mode, one writer at a time, readers beside it."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from laconic.stores.database.rows import run_plain
from laconic.stores.database.sqlite.copies import FORBIDDEN, FULL, copy_file
from laconic.stores.database.sqlite.fixed import address_in, is_fixed
from laconic.stores.database.sqlite.meanings import meaning_of
from laconic.stores.database.sqlite.watch import SqliteWatch
from laconic.stores.database.texts import refuse_bad_texts
from laconic.stores.database.trouble import Trouble
from laconic.stores.errors import (
    Full,
    ReadOnly,
    StoreDown,
    StoreError,
    Unusable,
)

__all__ = ["SqliteBackend"]

_READERS: Final = 4
_WAIT: Final = 50  # milliseconds inside SQLite; longer waits are ours, out of step with other processes
_JOURNAL: Final = 64 * 2**20  # bytes that the journal may keep on disk after a checkpoint
_CACHE: Final = 32 * 2**10  # kilobytes of pages that a connection may keep


class _Fixed(sqlite3.Connection):
    """A connection to a file that cannot change."""


class SqliteBackend:
    """A file, created on first use and readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.label = path.name
        self._engines: dict[bool, Engine] = {}
        self._identity: tuple[int, int] | None = None

    def engine(self, writes: bool) -> Engine:
        """Return the engine of the writer or of the readers."""
        if not self._engines:
            self._create()
            self._engines = {True: self._new_engine(True), False: self._new_engine(False)}
        return self._engines[writes]

    def is_there(self) -> bool:
        """True if the file exists and is not empty."""
        return self._path.is_file() and self._path.stat().st_size > 0

    def has_moved(self) -> bool:
        """True if the file was moved, deleted or replaced: what we wrote would be lost with it."""
        return self._identity is not None and self._identity != _identity(self._path)

    def close(self) -> None:
        """Close all connections; the last one moves the journal into the file."""
        engines, self._engines, self._identity = self._engines, {}, None
        for engine in engines.values():
            engine.dispose()

    def watch(self) -> SqliteWatch | None:
        """Return what tells of commits; None where the file cannot change but may be replaced."""
        db = self._connect(writes=False)
        if isinstance(db, _Fixed):
            db.close()
            return None
        return SqliteWatch(db, self.has_moved)

    def writes_of(self, connection: Connection) -> int:
        """Return how many rows the connection has changed since it was opened."""
        changes: int = _driver(connection).total_changes
        return changes

    def judge(self, error: DBAPIError) -> Trouble | None:
        """Return what an error of SQLite means."""
        return meaning_of(error.orig, self.label)

    @contextmanager
    def migrating(self, connection: Connection, patience: float) -> Iterator[None]:
        """Hold the file's write lock; foreign keys are checked at the end, since tables are replaced."""
        give_up = time.monotonic() + patience
        _driver(connection).execute("PRAGMA foreign_keys = OFF")  # it has no effect inside a transaction
        try:
            while not connection.in_transaction():
                try:
                    connection.begin()
                except DBAPIError as error:
                    trouble = self.judge(error)
                    if trouble is None or not trouble.again or time.monotonic() > give_up:
                        raise
                    time.sleep(random.uniform(0.001, 0.01))
            yield
            broken = _driver(connection).execute("PRAGMA foreign_key_check").fetchone()
            if broken:
                raise Unusable(
                    f"{self.label} could not be migrated: {broken[0]} refers to what is not there."
                )
            connection.commit()
        finally:
            if connection.in_transaction():
                connection.rollback()
            _driver(connection).execute("PRAGMA foreign_keys = ON")

    def keep_copy(self, revision: str) -> None:
        """Copy the file beside itself; the caller holds the write lock, so that nothing is missing."""
        copy_file(self._path, self._path.with_name(f"{self._path.stem}-before-{revision}{self._path.suffix}"))

    def _create(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._path.is_file():
                os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            self._identity = _identity(self._path)
        except OSError as error:
            raise self._unopened(error) from error

    def _unopened(self, error: OSError) -> StoreError:
        said = f"{self.label} cannot be opened or created: {error.strerror}."
        if error.errno in FULL:
            return Full(said)
        return ReadOnly(said) if error.errno in FORBIDDEN else StoreDown(said)

    def _new_engine(self, writes: bool) -> Engine:
        engine = create_engine(
            "sqlite+pysqlite://",
            creator=lambda: self._connect(writes),
            poolclass=QueuePool,
            pool_size=1 if writes else _READERS,
            max_overflow=0,
            hide_parameters=True,  # texts of users are not for logs
        )
        begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

        @event.listens_for(engine, "begin")
        def _(connection: Connection) -> None:
            run_plain(connection, begin)

        @event.listens_for(engine, "checkin")
        def _(db: Any, record: ConnectionPoolEntry) -> None:
            if isinstance(db, _Fixed):  # the next use looks again
                record.invalidate()

        refuse_bad_texts(engine)
        return engine

    def _connect(self, writes: bool) -> sqlite3.Connection:
        # A file that was moved away must not come back empty by being opened.
        fixed = is_fixed(self._path)
        db = sqlite3.connect(
            address_in(self._path),
            uri=True,
            timeout=_WAIT / 1000,
            isolation_level=None,
            check_same_thread=False,
            factory=_Fixed if fixed else sqlite3.Connection,
        )
        try:
            if fixed:
                return db  # writing is refused
            db.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing; a power cut may lose the last writes, never the file.
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute(f"PRAGMA journal_size_limit = {_JOURNAL}")
            db.execute("PRAGMA foreign_keys = ON")
            db.execute(f"PRAGMA cache_size = -{_CACHE}")
            if not writes:
                db.execute("PRAGMA query_only = ON")
        except BaseException:
            db.close()
            raise
        return db


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116  # it is asked for every read, and takes half the time
    except OSError:
        return None
    return found.st_dev, found.st_ino
