"""A SQLite file shared by several processes; waiting for it does not block the event loop."""

from __future__ import annotations

import errno
import os
import random
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from anyio import sleep, to_thread

from laconic.stores.errors import StoreDown, Unusable

if TYPE_CHECKING:
    import sqlite3

# Small work runs on the event loop itself, because that takes less time than a thread and back. Work that
# would stall the loop runs elsewhere: we wait for another process's lock with an async sleep, not inside
# SQLite; large writes and checkpoints, which wait for the disk, run in a thread with its own connection.
# The figures are in docs/decisions/0003-key-value-stores.md.
_LARGE: Final = 256 * 1024
_MOST_LOG: Final = 8 * 2**20  # bytes of the write-ahead log, which all processes share, before a checkpoint
_LOOK_EVERY: Final = 2**20  # bytes written here, before its size is looked at
_PAGES_A_WRITE: Final = 6 * 4096  # the pages a small write touches: the table, its indexes, the total

T = TypeVar("T")
Work = Callable[["sqlite3.Connection"], T]


class SqliteFile:
    """A file with one schema, created on first use and readable by its owner only."""

    def __init__(self, path: Path, schema: str, version: int, patience: float) -> None:
        self._path = path
        self._schema = f"BEGIN IMMEDIATE;{schema};PRAGMA user_version = {version};COMMIT;"
        self._version = version
        self._patience = patience
        self._db: sqlite3.Connection | None = None
        self._written = 0  # approximate bytes since the size of the log was looked at

    async def run(self, work: Work[T]) -> T:
        """Do small work; while another process holds the file, the event loop goes on.

        Raises:
            StoreDown: the file is damaged, cannot be used, or was held for too long.
        """
        import sqlite3  # here: a server without SQLite does not pay for it

        deadline_at = time.monotonic() + self._patience
        while True:
            try:
                return work(self._open())
            except sqlite3.Error as error:
                if not _is_busy(error):
                    self.close()
                if not _is_busy(error) or time.monotonic() > deadline_at:
                    raise self._in_words(error) from error
            await sleep(random.uniform(0.001, 0.01))

    async def write(self, work: Work[T], size: int) -> T:
        """Do work that writes about `size` bytes, in its own transaction."""

        def transaction(db: sqlite3.Connection) -> T:
            db.execute("BEGIN IMMEDIATE")
            try:
                result = work(db)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return result

        if size < _LARGE:
            result = await self.run(transaction)
        else:
            # Open the file first: closing its only connection would run a checkpoint each time.
            await self.run(_nothing)
            result = await to_thread.run_sync(self._run_in_thread, transaction)
        await self._checkpoint(size)
        return result

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        if self._db is not None:
            self._db.close()
            self._db = None

    async def _checkpoint(self, size: int) -> None:
        self._written += size + _PAGES_A_WRITE
        if self._written < _LOOK_EVERY:
            return
        self._written = 0
        if self._log_size() < _MOST_LOG:
            return
        with suppress(StoreDown):  # the data is already written; the next checkpoint will do
            await to_thread.run_sync(self._run_in_thread, _checkpoint)

    def _log_size(self) -> int:
        try:
            return self._path.with_name(f"{self._path.name}-wal").stat().st_size
        except OSError:
            return 0

    def _run_in_thread(self, work: Work[T]) -> T:
        import sqlite3  # see run

        try:
            with closing(self._connect(self._patience)) as db:
                return work(db)
        except sqlite3.Error as error:
            raise self._in_words(error) from error

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self._create()
            self._db = self._connect(0)
        return self._db

    def _create(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.is_file():  # closing it would end the locks of this process's other connections
                if not os.access(self._path, os.R_OK | os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            else:
                os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise self._down(f"cannot be opened: {error.strerror}") from error

    def _connect(self, patience: float) -> sqlite3.Connection:
        import sqlite3  # see run

        db = sqlite3.connect(self._path, timeout=patience, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing; a power cut may lose the last writes, never the file.
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA wal_autocheckpoint = 0")
            db.execute("PRAGMA journal_size_limit = 0")  # the first write after a checkpoint empties the log
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                db.executescript(self._schema)
            elif version != self._version:
                raise self._unusable("was written by another version of Laconic")
        except BaseException:
            db.close()
            raise
        return db

    def _in_words(self, error: sqlite3.Error) -> Exception:
        import sqlite3  # see run

        code = getattr(error, "sqlite_errorcode", None)
        if code is None:
            return error  # raised by the Python module, not by the file: our own bug
        if _is_busy(error):
            return self._down("was held by another process for too long")
        if code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return self._unusable(f"is damaged ({error})")
        return self._down(f"cannot be used: {error}")

    def _unusable(self, problem: str) -> Unusable:
        return Unusable(f"The store {self._path.name} {problem}; move it away and try again.")

    def _down(self, problem: str) -> StoreDown:
        return StoreDown(f"The store {self._path.name} {problem}.")


def _nothing(db: sqlite3.Connection) -> None:
    pass


def _checkpoint(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA wal_checkpoint").fetchone()


def _is_busy(error: sqlite3.Error) -> bool:
    import sqlite3  # see run

    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
