"""What errors of SQLite mean for a caller, and whether trying again may help."""

from __future__ import annotations

import sqlite3
from typing import Final

from laconic.stores.database.trouble import Trouble
from laconic.stores.errors import Full, Gone, Locked, ReadOnly, StoreDown, Taken, Unusable, ValueTooLarge

__all__ = ["meaning_of"]

_READONLY_MOVED: Final = (
    sqlite3.SQLITE_READONLY | 4 << 8
)  # SQLITE_READONLY_DBMOVED, which Python 3.11 has not
_UNIQUE: Final = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID}
)


def meaning_of(error: BaseException | None, label: str) -> Trouble | None:
    """Return what an error means for the callers of a database; None if it is a mistake of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None  # raised by the Python module, not by the file
    if code == _READONLY_MOVED:
        return Trouble(Gone(f"{label} was moved or deleted meanwhile."))
    problem = str(error)
    match code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            held = f"{label} was held by another process for too long."
            return Trouble(Locked(held), again=True, undone=True)
        case sqlite3.SQLITE_FULL:
            return Trouble(Full(f"There is no space left for {label}."), undone=True)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return Trouble(ReadOnly(f"{label} can be read, but not written."), undone=True)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return Trouble(Unusable(f"{label} is damaged ({problem}); put a copy in its place."))
        case sqlite3.SQLITE_TOOBIG:
            return Trouble(ValueTooLarge(f"A value is too large for {label}."), undone=True)
        case sqlite3.SQLITE_CONSTRAINT if code in _UNIQUE:
            return Trouble(Taken("Somebody else has just made the same."), again=True, undone=True)
        case sqlite3.SQLITE_IOERR:  # a page of the journal that was not written is not part of it
            undone = code == sqlite3.SQLITE_IOERR_WRITE
            return Trouble(StoreDown(f"{label} cannot be used: {problem}."), undone=undone)
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PROTOCOL | sqlite3.SQLITE_NOMEM:
            return Trouble(StoreDown(f"{label} cannot be used: {problem}."))
    return None
