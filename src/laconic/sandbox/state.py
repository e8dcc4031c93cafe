"""State: everything the instance knows, as rows in tables, in memory or in a file that processes share."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

__all__ = ["NotKept", "Row", "State", "StoredState"]

Row = dict[str, Any]


class NotKept(Exception):
    """Practice data cannot be read or written; a request that raises it has no effect."""

    status: Final = 507

    def __init__(self, what: str) -> None:
        super().__init__(f"The practice data in {what}")


class State:
    """Tables of rows by id, each with a counter of its own."""

    def __init__(self, stored: dict[str, Any] | None = None) -> None:
        self.restore(stored or {})

    def restore(self, stored: dict[str, Any]) -> None:
        """Take everything from JSON data."""
        tables: dict[str, list[Row]] = stored.get("tables", {})
        self.tables = {name: {row["id"]: row for row in rows} for name, rows in tables.items()}
        self.counters: dict[str, int] = dict(stored.get("counters", {}))
        self.spent: list[str] = list(stored.get("spent", []))  # refresh tokens that were used

    def stored(self) -> dict[str, Any]:
        """Return everything as JSON data."""
        tables = {name: list(rows.values()) for name, rows in self.tables.items()}
        return {"tables": tables, "counters": self.counters, "spent": self.spent}

    def rows(self, table: str) -> dict[int, Row]:
        """Return the rows of a table by id."""
        return self.tables.setdefault(table, {})

    def count(self, name: str) -> int:
        """Return the next number of a counter."""
        self.counters[name] = self.counters.get(name, 0) + 1
        return self.counters[name]

    def add(self, table: str, **fields: Any) -> Row:
        """Add a row with the next id of its table."""
        row: Row = {"id": self.count(table), **fields}
        self.rows(table)[row["id"]] = row
        return row

    def where(self, table: str, **values: Any) -> list[Row]:
        """Return the rows that have these values."""
        rows = self.rows(table).values()
        return [row for row in rows if all(row.get(name) == value for name, value in values.items())]

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Answer one request; nobody else changes anything meanwhile."""
        yield


class StoredState(State):
    """A state in a file: every request reads it if another process wrote it, and writes what it changed."""

    def __init__(self, file: Path, first: dict[str, Any]) -> None:
        super().__init__(first)
        self._file, self._seen = file, ""
        self._first = json.dumps(self.stored())

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Answer one request while holding the lock of the file."""
        with self._locked():
            self._read()
            try:
                yield
            except NotKept:  # such as the bytes of a file
                self._undo()
                raise
            finally:
                self._write()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            lock = self._file.with_suffix(".lock").open("w")
        except OSError as error:
            raise NotKept(f"{self._file.name} cannot be written: {error.strerror}.") from error
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _read(self) -> None:
        try:
            text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
            if text and text != self._seen:
                self.restore(json.loads(text))
                self._seen = text
        except OSError as error:
            raise NotKept(f"{self._file.name} cannot be read: {error.strerror}.") from error
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise NotKept(f"{self._file.name} is damaged; delete it to begin again.") from error

    def _write(self) -> None:
        text = json.dumps(self.stored())
        if text == self._seen:
            return
        new = self._file.with_suffix(".new")
        try:
            new.write_text(text, encoding="utf-8")
            new.replace(self._file)
        except OSError as error:
            self._undo()
            raise NotKept(f"{self._file.name} cannot be written: {error.strerror}.") from error
        self._seen = text

    def _undo(self) -> None:
        self.restore(json.loads(self._seen or self._first))
