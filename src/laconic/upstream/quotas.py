"""Quotas: how much may be sent in any span of time, how much of that was used, and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Outlook", "Quota", "Used"]

_PARTS: Final = 20  # of a quota's time; a part is free again when all of it is over


@dataclass(frozen=True)
class Quota:
    """So many requests, or units of them, within any span of so many seconds."""

    amount: int
    per: float = 60.0


@dataclass(frozen=True)
class Outlook:
    """What the next request of a group can expect."""

    wait: float  # seconds until its turn
    left: float | None  # of the quota, from 0 to 1; None: there is none


class Used:
    """How much of a quota was used in each part of its time."""

    def __init__(self, parts: dict[str, int], quota: Quota) -> None:
        self.parts, self._quota = parts, quota
        self._length = quota.per / _PARTS

    @classmethod
    def read(cls, stored: Any, quota: Quota, now: float) -> Used:
        """Read what was stored, without what is over or, since a clock was set back, cannot be true."""
        length = quota.per / _PARTS
        kept = range(int(now / length) - _PARTS, int(now / length) + 100 * _PARTS)
        parts = stored.items() if isinstance(stored, dict) else ()
        sound = {key: count for key, count in parts if key.isdecimal() and isinstance(count, int)}
        return cls({key: count for key, count in sound.items() if int(key) in kept}, quota)

    def first_free(self, cost: int, start: float) -> int:
        """Return the first part with room, never before one in which another request already has a place."""
        part = max([int(start / self._length), *map(int, self.parts)])
        while self._around(part) + min(cost, self._quota.amount) > self._quota.amount:
            part += 1
        return part

    def begin(self, part: int) -> float:
        """Return when a part begins."""
        return part * self._length

    def take(self, part: int, cost: int) -> None:
        """Use up some of a part."""
        self.parts[str(part)] = self.parts.get(str(part), 0) + min(cost, self._quota.amount)

    def left(self, now: float) -> float:
        """Return how much of the quota is free at a moment, from 0 to 1."""
        return max(0.0, 1 - self._around(int(now / self._length)) / self._quota.amount)

    def _around(self, part: int) -> int:
        """Return what is used in every span that ends in a part."""
        return sum(count for key, count in self.parts.items() if part - _PARTS <= int(key) <= part)
