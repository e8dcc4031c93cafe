"""The index on disk: JSON in the user's cache folder, ignored unless complete and in our format."""

from __future__ import annotations

import gc
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields
from itertools import starmap
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.flaws import Flaw
from laconic.servers.issues.index.layout import Layout
from laconic.stores import StoreError
from laconic.stores.durable import write_over

_FORMAT: Final = 3  # 1 had flaws as sentences, 2 knew no notes and no odd values
_NAMES: Final = tuple(field.name for field in fields(Entry))
_ROW: Final = attrgetter(*_NAMES)
_LISTS: Final = tuple(_NAMES.index(name) for name in ("labels", "blocked_by", "stamp"))
_FLAWS: Final = _NAMES.index("flaws")
_SHARED: Final = tuple(
    _NAMES.index(name) for name in ("type", "status", "priority", "labels", "assignee", "project")
)


class IndexFile:
    """Keeps entries from one process to the next: a checksum on the first line, then the columns."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path = path
        self._head = [_FORMAT, str(layout.root), dict(layout.folders)]
        self._is_kept = False  # whether a file with most of the entries exists
        self._generation = 0

    def load(self) -> tuple[dict[str, Entry], set[str]]:
        """Read the entries, and the paths of doubtful ones; nothing if the file is not in our format."""
        with suppress(OSError, ValueError, TypeError, IndexError, RecursionError):
            check, _, content = self._path.read_bytes().partition(b"\n")
            if int(check, 16) == zlib.crc32(content):
                head, doubtful, columns = json.loads(content)
                if head == self._head:
                    self._is_kept = True
                    return _entries(columns), set(doubtful)
        return {}, set()

    def save_sometimes(self, entries: Mapping[str, Entry], doubtful: Iterable[str], generation: int) -> None:
        """Write the first time, and then when a twentieth has changed: fewer files are quickly read again."""
        changes = generation - self._generation
        if changes > (max(64, len(entries) // 20) if self._is_kept else 0):
            self.save(entries, doubtful, generation)

    def save(self, entries: Mapping[str, Entry], doubtful: Iterable[str], generation: int) -> None:
        """Write now if anything changed; a cache that cannot be written is skipped."""
        if generation == self._generation:
            return
        columns = list(zip(*map(_ROW, entries.values()), strict=True))  # loads three times as fast as rows
        content = _json([self._head, list(doubtful), columns]).encode()
        with suppress(StoreError, OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_over(self._path, b"%08x\n" % zlib.crc32(content) + content)
        self._is_kept, self._generation = True, generation


_json: Final = json.JSONEncoder(separators=(",", ":")).encode


@contextmanager
def collecting_nothing() -> Iterator[None]:
    """Turn garbage collection off: with so many new objects it would take a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _entries(columns: list[list[Any]]) -> dict[str, Entry]:
    shared: dict[Any, Any] = {}
    for place in _LISTS:
        columns[place] = list(map(tuple, columns[place]))
    columns[_FLAWS] = [tuple(starmap(Flaw, flaws)) if flaws else () for flaws in columns[_FLAWS]]
    for place in _SHARED:
        columns[place] = [shared.setdefault(value, value) for value in columns[place]]
    return {row[0]: Entry(*row) for row in zip(*columns, strict=True)}
