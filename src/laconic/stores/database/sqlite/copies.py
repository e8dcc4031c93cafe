"""Copies of SQLite files: made whole while others write, checked, and put back without losing a process."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from laconic.stores.database.sqlite.fixed import address_in
from laconic.stores.errors import Full, ReadOnly, StoreDown, Unusable

__all__ = ["FORBIDDEN", "FULL", "copy_file", "faults_of", "put_back", "tables_of"]

FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def copy_file(source: Path, target: Path, *, sound: bool = False) -> None:
    """Copy a database as it is at one moment; nobody waits, and the copy appears whole or not at all.

    `sound` makes no copy of what is damaged: it could not be put back.

    Raises:
        Unusable: it is damaged.
        StoreDown: it cannot be read, or there is no room for the copy.
    """
    draft = target.with_name(f".laconic-{os.urandom(8).hex()}.tmp")
    with _told(target):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with closing(_reading(source)) as here, closing(sqlite3.connect(draft)) as there:
                here.backup(there)
                there.execute("PRAGMA journal_mode = DELETE")  # a copy is one file
            if sound and (faults := faults_of(draft)):
                raise Unusable(f"{source.name} is damaged ({faults[0]}); put a copy in its place.")
            _write_through(draft)
            draft.replace(target)
        finally:
            for left in (draft, draft.with_name(f"{draft.name}-wal"), draft.with_name(f"{draft.name}-shm")):
                left.unlink(missing_ok=True)


def faults_of(path: Path) -> list[str]:
    """Return what is wrong with a file: its pages, its indexes, and rows that refer to nothing."""
    try:
        with closing(_reading(path)) as db:
            found = [str(row[0]) for row in db.execute("PRAGMA integrity_check(10)")]
            broken = db.execute("PRAGMA foreign_key_check").fetchmany(10)
    except sqlite3.Error as error:
        return [str(error)]
    referring = [f"a row of {table} refers to what is not there" for table, *_ in broken]
    return [one for one in found if one != "ok"] + referring


def tables_of(path: Path) -> set[str]:
    """Return the names of the tables in a file; none if it is no database."""
    try:
        with closing(_reading(path)) as db:
            return {str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return set()


def put_back(source: Path, target: Path) -> Path | None:
    """Put a copy in the place of a database, also while other processes use it: they go on with the copy.

    A target that is too damaged for that is moved aside first, with its journal; returns where it is then.

    Raises:
        StoreDown: it cannot be written.
    """
    with _told(target):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with closing(_reading(source)) as here, closing(_writing(target)) as there:
                here.backup(there)  # one transaction: killed in the middle, the target is what it was
                return None
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
        aside = target.with_name(f"{target.stem}-damaged{target.suffix}")
        for end in ("-wal", "-shm"):  # first: they would be read into the new file
            with suppress(FileNotFoundError):
                target.with_name(target.name + end).replace(aside.with_name(aside.name + end))
        aside.unlink(missing_ok=True)
        os.link(target, aside)
        copy_file(source, target)
        return aside


def _reading(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(address_in(path), uri=True, timeout=60)
    db.execute("PRAGMA query_only = ON")
    return db


def _writing(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(address_in(path, "rwc"), uri=True, timeout=60)


def _write_through(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def _told(target: Path) -> Iterator[None]:
    """Tell what a failure means for the caller, without a path."""
    try:
        yield
    except OSError as error:
        said = f"{target.name} cannot be written: {error.strerror}."
        kind = Full if error.errno in FULL else ReadOnly if error.errno in FORBIDDEN else StoreDown
        raise kind(said) from error
    except sqlite3.Error as error:
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise Full(f"There is no space left for {target.name}.") from error
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
            raise ReadOnly(f"{target.name} can be read, but not written.") from error
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise Unusable(f"The database is damaged ({error}).") from error
        raise StoreDown(f"{target.name} cannot be written: {error}.") from error
