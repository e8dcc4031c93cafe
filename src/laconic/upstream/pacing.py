"""Pacing: requests wait for their turn, so that all processes of a user together stay within a quota."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType
from typing import Any, Final

from laconic.upstream.clock import Clock
from laconic.upstream.errors import Throttled, UpstreamError
from laconic.upstream.quotas import Outlook, Quota, Used
from laconic.upstream.sharing import OwnRecord, SharedRecord, held

__all__ = ["Pace"]

_LONGEST: Final = 3600.0  # seconds that a group stays closed without another look
_LOCKED: Final = 2.0  # seconds; whoever holds the record longer is stopped or gone astray
_ALONE: Final = 60.0  # seconds until a record that failed is tried again
_JSON: Final = json.JSONDecoder()
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})
log = logging.getLogger("laconic.upstream")


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
        self._record = self._shared = record or OwnRecord()
        self._own = OwnRecord()  # for as long as the shared one cannot be used
        self._alone_since = 0.0
        self._is_warned = False
        self._quotas = quotas
        self._clock = clock or Clock()

    async def turn(self, group: str, cost: int, patience: float) -> float:
        """Wait until a request may be sent; return the seconds that took.

        Raises:
            Throttled: its turn would come later than the patience lasts; nothing was used up.
        """
        self._come_back()
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

    def outlook(self, group: str) -> Outlook:
        """Return what the next request of a group can expect; nothing is used up."""
        self._come_back()
        now = self._clock.now()
        try:
            own = _group(self._state(), group)
        except Exception as error:
            self._go_alone(error)
            own = {}
        at, quota = max(now, _opening(own, now)), self._quotas.get(group)
        if quota is None:
            return Outlook(at - now, None)
        used = _used(own, quota, now)
        at = max(at, used.begin(used.first_free(1, at)))
        return Outlook(at - now, used.left(now))

    async def close(self, group: str, seconds: float) -> None:
        """Let nobody send anything of a group for so long: the other system said so."""
        if seconds <= 0:
            return
        self._come_back()
        try:
            await self._close(group, seconds)
        except Exception as error:
            self._go_alone(error)
            await self._close(group, seconds)

    def _go_alone(self, error: Exception) -> None:
        """Pace this process by itself: a record that cannot be read or written must not stop the work."""
        if not self._is_warned:
            log.warning("Requests are paced for this process alone: %s", error)
        self._is_warned = True
        self._record, self._alone_since = self._own, self._clock.now()

    def _come_back(self) -> None:
        """Use the shared record again after a while: the disk was full, or the folder is back."""
        if self._record is not self._shared and not 0 <= self._clock.now() - self._alone_since < _ALONE:
            self._record = self._shared

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
            used = _used(own, quota, now)
            part = used.first_free(cost, max(now, _opening(own, now)))
            at = max(now, _opening(own, now), used.begin(part))
            if at - now > patience:
                raise _throttled(at - now)
            used.take(part, cost)
            self._write(state, group, own | {"used": used.parts, "at": now})
        return at

    def _state(self) -> dict[str, Any]:
        content = self._record.read()
        if not content:
            return {}
        try:  # what follows the first value is the end of a longer one, which is about to be cut off
            state, _ = _JSON.raw_decode(content.decode())
        except (ValueError, RecursionError):  # a writer was killed; the next one writes it again
            return {}
        return state if isinstance(state, dict) else {}

    def _write(self, state: dict[str, Any], group: str, own: dict[str, Any]) -> None:
        self._record.write(json.dumps(state | {group: own}).encode())
        self._is_warned = self._is_warned and self._record is not self._shared


def _group(state: dict[str, Any], group: str) -> dict[str, Any]:
    own = state.get(group)
    return own if isinstance(own, dict) else {}


def _used(own: dict[str, Any], quota: Quota, now: float) -> Used:
    """Return what was used of a quota."""
    return Used.read(own.get("used") if _was_before(own.get("at"), now) else None, quota, now)


def _opening(own: dict[str, Any], now: float) -> float:
    """Return when a closed group opens."""
    return _number(own.get("opens")) if _was_before(own.get("since"), now) else 0.0


def _was_before(written: Any, now: float) -> bool:
    """True for what was written until now; what is from the future is of a clock that was set back."""
    return _number(written) <= now + 1


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and isfinite(value) else 0.0


def _throttled(wait: float) -> Throttled:
    words = f"Too many requests: the next one may be sent in {wait:.0f} s."
    return Throttled(words, wait=wait, attempts=0)
