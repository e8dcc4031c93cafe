"""Unsettled keys: what the store should have and could not be told, remembered by this process."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

__all__ = ["Unsettled"]

_MOST: Final = 1000


class Unsettled:
    """Keys whose calls are over, though their records in the store could not be changed."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[bytes, bytes | None]] = OrderedDict()

    def get(self, name: str) -> tuple[bytes, bytes | None] | None:
        """Return the record that may still be in the store and the one that should be; None for no record."""
        return self._known.get(name)

    def add(self, name: str, present: bytes, wanted: bytes | None) -> None:
        """Remember what should be in the store."""
        if wanted is not None or name not in self._known:  # never forget that a call may have been done
            self._known[name] = (present, wanted)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    def drop(self, name: str) -> None:
        """Forget it: the store is right."""
        self._known.pop(name, None)
