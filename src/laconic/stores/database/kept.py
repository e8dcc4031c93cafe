"""Kept: what was made from a database, as long as nothing is written there, within a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from laconic.stores.database.watching import Mark

__all__ = ["Kept"]

T = TypeVar("T")
_EACH: Final = 500  # bytes that an entry takes besides its value


class Kept(Generic[T]):
    """Values by their keys; a change of the mark forgets all, and too many forget what was used least."""

    def __init__(self, most: int) -> None:
        """Take how many bytes there may be; what takes more than a sixteenth of them is not kept."""
        self._most = most
        self._mark: Mark | None = None
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self.size = 0  # bytes

    def __contains__(self, key: Hashable) -> bool:
        """True if there is a value, which may be outdated."""
        return key in self._values

    def start(self, mark: Mark | None) -> None:
        """Forget what was made before this mark."""
        if mark != self._mark:
            self._values.clear()
            self._mark, self.size = mark, 0

    def get(self, mark: Mark | None, key: Hashable) -> T | None:
        """Return a value that was made since this mark; None if there is none, or the mark is not known."""
        self.start(mark)
        found = self._values.get(key)
        if found is None:
            return None
        self._values.move_to_end(key)
        return found[0]

    def keep(self, mark: Mark | None, key: Hashable, value: T, size: int) -> None:
        """Keep a value of so many bytes, made from a read that began after this mark, and after `start`."""
        taken = size + _EACH
        if mark is None or mark != self._mark or taken > self._most // 16:
            return
        before = self._values.pop(key, None)
        self._values[key] = (value, taken)
        self.size += taken - (before[1] if before else 0)
        while self.size > self._most:
            _, (_, freed) = self._values.popitem(last=False)
            self.size -= freed
