"""A key-value store in one SQLite file: survives restarts and is shared by the processes of one machine."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laconic.stores.keyvalue.protocol import Clock, Counted, expiry, next_number, weigh
from laconic.stores.keyvalue.sqlitefile import SqliteFile, T, Work

if TYPE_CHECKING:
    import sqlite3

_USES_NOTED: Final = 256
_PURGED_AT_ONCE: Final = 100

# Keys are blobs: compared byte by byte, and UTF-8 never contains 0xff, so a prefix is a simple range.
# Triggers maintain the total, since summing on every write would read the whole table.
_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS entries (
    key BLOB NOT NULL UNIQUE,
    value BLOB NOT NULL,
    expires REAL,
    weight INTEGER NOT NULL,
    used INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS entries_used ON entries (used);
CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;
CREATE TABLE IF NOT EXISTS total (weight INTEGER NOT NULL);
INSERT INTO total SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM total);
CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON entries
    BEGIN UPDATE total SET weight = weight + NEW.weight; END;
CREATE TRIGGER IF NOT EXISTS removed AFTER DELETE ON entries
    BEGIN UPDATE total SET weight = weight - OLD.weight; END;
CREATE TRIGGER IF NOT EXISTS changed AFTER UPDATE OF weight ON entries
    BEGIN UPDATE total SET weight = weight + NEW.weight - OLD.weight; END
"""
_LIVE: Final = "(expires IS NULL OR expires > :now)"
_NEXT_USE: Final = "(SELECT coalesce(max(used), 0) + 1 FROM entries)"
_GET: Final = f"SELECT value, expires FROM entries WHERE key = :key AND {_LIVE}"
_KEYS: Final = f"SELECT key FROM entries WHERE key >= :first AND key < :last AND {_LIVE} ORDER BY key"
_PUT: Final = f"""
INSERT INTO entries (key, value, expires, weight, used) VALUES (:key, :value, :expires, :weight, {_NEXT_USE})
ON CONFLICT (key) DO UPDATE SET
    value = excluded.value, expires = excluded.expires, weight = excluded.weight, used = excluded.used"""
_PUT_NEW: Final = f"{_PUT} WHERE entries.expires <= :now"
_REPLACE: Final = f"""
UPDATE entries SET value = :value, expires = :expires, weight = :weight, used = {_NEXT_USE}
WHERE key = :key AND value = :old AND {_LIVE}"""
_TOUCH: Final = f"UPDATE entries SET expires = :expires, used = {_NEXT_USE} WHERE key = :key AND {_LIVE}"
_USE: Final = f"UPDATE entries SET used = {_NEXT_USE} WHERE key = :key"
_DELETE: Final = f"DELETE FROM entries WHERE key = :key AND {_LIVE}"
_PURGE: Final = """
DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires <= :now LIMIT :most)"""
_EVICT: Final = "DELETE FROM entries WHERE rowid = (SELECT rowid FROM entries ORDER BY used LIMIT 1)"
_TOTAL: Final = "SELECT weight FROM total"


class SqliteStore:
    """Keeps values in a file, opened on first use; the limit counts bytes of keys and values."""

    def __init__(
        self,
        path: str | Path,
        limit_bytes: int = 256 * 2**20,
        now: Clock = time.time,
        patience: float = 5.0,
    ) -> None:
        self._file = SqliteFile(Path(path), _SCHEMA, _VERSION, patience)
        self._limit = limit_bytes
        self._now = now
        self._uses: dict[bytes, None] = {}  # reads do not write; the next write records them as uses

    async def get(self, key: str) -> bytes | None:
        """Return the value, or None."""
        name = key.encode()
        row = await self._file.run(lambda db: db.execute(_GET, {"key": name, "now": self._now()}).fetchone())
        if row is None:
            return None
        self._note_use(name)
        value: bytes = row[0]
        return value

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Store the value, replacing any other."""
        row = self._row(key, value, ttl)
        await self._write(lambda db: db.execute(_PUT, row), len(value))

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Store the value if the key has none; False if it has one."""
        return await self._change(_PUT_NEW, self._row(key, value, ttl), len(value))

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        """Store the new value if the current one is `old`; False if it is not."""
        return await self._change(_REPLACE, self._row(key, new, ttl) | {"old": old}, len(new))

    async def delete(self, key: str) -> bool:
        """Delete the value; False if there was none."""
        return await self._change(_DELETE, {"key": key.encode(), "now": self._now()})

    async def keys(self, prefix: str = "") -> list[str]:
        """Return the keys that start with the prefix, sorted."""
        first = prefix.encode()
        bounds = {"first": first, "last": first + b"\xff", "now": self._now()}
        rows = await self._file.run(lambda db: db.execute(_KEYS, bounds).fetchall())
        return [key.decode() for (key,) in rows]

    async def touch(self, key: str, ttl: float | None) -> bool:
        """Set a new time to live, counted from now; False if there is no value."""
        now = self._now()
        return await self._change(_TOUCH, {"key": key.encode(), "expires": expiry(ttl, now), "now": now})

    async def count(self, key: str, window: float) -> Counted:
        """Add one and return the count in the current window; a window opens with its first count."""
        first, now = self._row(key, b"1", window), self._now()

        def work(db: sqlite3.Connection) -> Counted:
            old = db.execute(_GET, first).fetchone()
            if old is None:
                db.execute(_PUT, first)
                return Counted(1, window)
            number, expires = next_number(key, old[0]), old[1]
            db.execute(_PUT, self._row(key, b"%d" % number, None) | {"expires": expires})
            return Counted(number, None if expires is None else expires - now)

        return await self._write(work)

    async def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._file.close()

    def _row(self, key: str, value: bytes, ttl: float | None) -> dict[str, object]:
        now, weight = self._now(), weigh(key, value, self._limit)
        return dict(key=key.encode(), value=value, expires=expiry(ttl, now), weight=weight, now=now)

    def _note_use(self, name: bytes) -> None:
        self._uses.pop(name, None)
        self._uses[name] = None
        if len(self._uses) > _USES_NOTED:
            del self._uses[next(iter(self._uses))]

    async def _change(self, statement: str, row: dict[str, object], size: int = 0) -> bool:
        return await self._write(lambda db: db.execute(statement, row).rowcount > 0, size)

    async def _write(self, work: Work[T], size: int = 0) -> T:
        uses, self._uses = self._uses, {}

        def and_make_room(db: sqlite3.Connection) -> T:
            db.executemany(_USE, [{"key": name} for name in uses])
            result = work(db)
            self._make_room(db)
            return result

        return await self._file.write(and_make_room, size)

    def _make_room(self, db: sqlite3.Connection) -> None:
        now = self._now()
        db.execute(_PURGE, {"now": now, "most": _PURGED_AT_ONCE})
        if self._is_full(db):
            db.execute(_PURGE, {"now": now, "most": -1})
        while self._is_full(db):
            db.execute(_EVICT)

    def _is_full(self, db: sqlite3.Connection) -> bool:
        (total,) = db.execute(_TOTAL).fetchone()
        return bool(total > self._limit)
