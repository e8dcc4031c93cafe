"""All entries, last changed first and by id, kept in order while single entries change."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.index.shared_ids import with_shared_ids

Step = tuple[Entry | None, Entry | None]
"""An entry before and after a change: None before it was added or after it was removed."""

_NO_DATE: Final = -(10**17)  # microseconds: before any real date


def newness(entry: Entry) -> tuple[int, str]:
    """Sort key: when the issue was last changed according to its header; undated issues come first."""
    return _NO_DATE if entry.updated is None else entry.updated, entry.path


def by_id(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Group entries by id."""
    ids: dict[str, tuple[Entry, ...]] = {}
    for entry in entries:
        alone = (entry,)
        same = ids.setdefault(entry.id, alone)
        if same is not alone:
            ids[entry.id] = (*same, entry)
    return ids


class Order:
    """All entries in order."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._rising = with_shared_ids(sorted(entries, key=newness))
        self._ids = by_id(reversed(self._rising))

    @property
    def ids(self) -> Mapping[str, tuple[Entry, ...]]:
        """Entries by id."""
        return self._ids

    def entries(self) -> list[Entry]:
        """Return all entries, last changed first."""
        return self._rising[::-1]

    def follow(self, steps: Iterable[Step]) -> bool:
        """Apply some changes in place; False if everything must be sorted again."""
        return all(self._drop(old) and self._put(new) for old, new in steps)

    def _drop(self, old: Entry | None) -> bool:
        if old is None:
            return True
        place = self._place(old)
        is_there = self._rising[place : place + 1] == [old]
        if not is_there or len(self._ids.pop(old.id, ())) != 1:
            return False  # others share its id, and each of their flaws contains the number of files
        del self._rising[place]
        return True

    def _put(self, new: Entry | None) -> bool:
        if new is None:
            return True
        if new.id in self._ids:
            return False
        self._ids[new.id] = (new,)
        self._rising.insert(self._place(new), new)
        return True

    def _place(self, entry: Entry) -> int:
        """Return the position of an entry, or where it would be inserted."""
        return bisect_left(self._rising, newness(entry), key=newness)
