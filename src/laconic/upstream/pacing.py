"""Pacing: requests wait for their turn, so that all processes of a user together stay within a quota."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any, Final

from laconic.upstream.clock import Clock
from laconic.upstream.errors import Throttled, UpstreamError
from laconic.upstream.sharing import OwnRecord, SharedRecord, held

__all__ = ["Pace", "Quota"]

_PARTS: Final = 20  # of a quota's time; a part is free again when all of it is over
_LONGEST: Final = 3600.0  # seconds that a group stays closed without another look
_LOCKED: Final = 2.0  # seconds; whoever holds the record longer is stopped or gone astray
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})
log = logging.getLogger("laconic.upstream")


@dataclass(frozen=True)
class Quota:
    """So many requests, or units of them, within any span of so many seconds."""

    amount: int
    per: float = 60.0


class Pace:
    """The quotas of one account, by group; the record of what was used is shared by processes.

    No span of a quota's length ever has more requests than its amount: a bucket that is emptied at once and
    refilled meanwhile would allow twice as many.
    """

    def __init__(
        self,
        record: SharedRecord | None = None,
        quotas: Mapping[str, Quota] = _NONE,
        *,
        clock: Clock | None = None,
    ) -> None:
        self._record = record or OwnRecord()
        self._quotas = quotas
        self._clock = clock or Clock()

    async def turn(self, group: str, cost: int, patience: float) -> float:
        """Wait until a request may be sent; return the seconds that took.

        Raises:
            Throttled: its turn would come later than the patience lasts; nothing was used up.
        """
        try:
            return await self._turn(group, cost, patience)
        except UpstreamError:
            raise
        except Exception as error:
            self._go_alone(error)
            return await self._turn(group, cost, patience)

    async def _turn(self, group: str, cost: int, patience: float) -> float:
        quota = self._quotas.get(group)
        began = self._clock.now()
        at = self._opens(group) if quota is None else await self._reserved(group, quota, cost, patience)
        while (left := at - self._clock.now()) > 0:
            if at - began > patience:
                raise _throttled(left)
            await self._clock.sleep(left)
            at = self._opens(group)
        return max(0.0, self._clock.now() - began)

    async def close(self, group: str, seconds: float) -> None:
        """Let nobody send anything of a group for so long: the other system said so."""
        if seconds <= 0:
            return
        try:
            await self._close(group, seconds)
        except Exception as error:
            self._go_alone(error)
            await self._close(group, seconds)

    def _go_alone(self, error: Exception) -> None:
        """Pace this process by itself: a record that cannot be read or written must not stop the work."""
        log.warning("Requests are paced for this process alone: %s", error)
        self._record = OwnRecord()

    async def _close(self, group: str, seconds: float) -> None:
        async with held(self._record, _LOCKED):
            state = self._state()
            own, now = _group(state, group), self._clock.now()
            closed = {"opens": max(_opening(own, now), now + min(seconds, _LONGEST)), "since": now}
            self._write(state, group, own | closed)

    def _opens(self, group: str) -> float:
        return _opening(_group(self._state(), group), self._clock.now())

    async def _reserved(self, group: str, quota: Quota, cost: int, patience: float) -> float:
        """Take the next free place of a quota; return the moment of it."""
        async with held(self._record, _LOCKED):  # if it is not free by then, a place is taken without it
            now = self._clock.now()
            state = self._state()
            own = _group(state, group)
            used = _Used.read(own.get("used"), quota, now)
            part = used.first_free(cost, max(now, _opening(own, now)))
            at = max(now, _opening(own, now), used.begin(part))
            if at - now > patience:
                raise _throttled(at - now)
            used.take(part, cost)
            self._write(state, group, own | {"used": used.parts})
        return at

    def _state(self) -> dict[str, Any]:
        try:
            state = json.loads(self._record.read() or b"{}")
        except ValueError:  # a writer was killed; the next one writes it again
            return {}
        return state if isinstance(state, dict) else {}

    def _write(self, state: dict[str, Any], group: str, own: dict[str, Any]) -> None:
        self._record.write(json.dumps(state | {group: own}).encode())


class _Used:
    """How much of a quota was used in each part of its time."""

    def __init__(self, parts: dict[str, int], quota: Quota) -> None:
        self.parts, self._quota = parts, quota
        self._length = quota.per / _PARTS

    @classmethod
    def read(cls, stored: Any, quota: Quota, now: float) -> _Used:
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
        return part * self._length

    def take(self, part: int, cost: int) -> None:
        self.parts[str(part)] = self.parts.get(str(part), 0) + min(cost, self._quota.amount)

    def _around(self, part: int) -> int:
        """Return what is used in every span that ends in a part."""
        return sum(count for key, count in self.parts.items() if part - _PARTS <= int(key) <= part)


def _group(state: dict[str, Any], group: str) -> dict[str, Any]:
    own = state.get(group)
    return own if isinstance(own, dict) else {}


def _opening(own: dict[str, Any], now: float) -> float:
    """Return when a closed group opens; what was written in the future is of a clock that was set back."""
    return _number(own.get("opens")) if _number(own.get("since")) <= now + 1 else 0.0


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and isfinite(value) else 0.0


def _throttled(wait: float) -> Throttled:
    words = f"Too many requests: the next one may be sent in {wait:.0f} s."
    return Throttled(words, wait=wait, attempts=0)
