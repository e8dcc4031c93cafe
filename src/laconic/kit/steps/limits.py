"""How many calls a caller may make per minute, per day and at once."""

from __future__ import annotations

import asyncio
from collections import deque
from math import ceil

from laconic.kit.answers.answer import RateCount
from laconic.kit.declaring.spec import RouteSpec
from laconic.kit.errors import RateLimited
from laconic.kit.pipeline import Answer, Call, Inner, Step, not_of_relays
from laconic.kit.settings import Rates
from laconic.stores.keyvalue import KeyValue

_MINUTE = 60.0
_DAY = 86_400.0


def limits(state: KeyValue, rates: Rates, concurrency: int) -> Step:
    """Run at most `concurrency` calls of a caller at once; refuse more than `rates` allow."""
    places = _Places(concurrency)

    @not_of_relays  # the called tool is counted; with both, a call could wait for itself
    async def step(call: Call, inner: Inner) -> Answer:
        name = call.peer.caller.counted_as
        if any(rates) or call.spec.rate is not None:
            await _count_all(call, state, rates)
        if not places.enter(name):
            await places.wait(name)
        try:
            return await inner(call)
        finally:
            places.leave(name)

    return step


class _Places:
    """How many calls of each caller run, and which wait; a semaphore is three times as slow."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: dict[str, int] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def enter(self, name: str) -> bool:
        """Take a place; False if none is free, or others wait for one."""
        taken = self._taken.get(name, 0)
        if taken >= self._most:
            return False
        self._taken[name] = taken + 1
        return True

    async def wait(self, name: str) -> None:
        """Wait for a place, after those who came before."""
        waiter = asyncio.get_running_loop().create_future()
        queue = self._waiting.setdefault(name, deque())
        queue.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self.leave(name)  # it was given a place that it cannot use any more
            else:
                queue.remove(waiter)
            raise

    def leave(self, name: str) -> None:
        """Pass a place on to the first who waits, or free it."""
        queue = self._waiting.get(name)
        while queue:
            waiter = queue.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self._waiting.pop(name, None)
        self._taken[name] -= 1
        if not self._taken[name]:
            del self._taken[name]


async def _count_all(call: Call, state: KeyValue, rates: Rates) -> None:
    """Count a call by every counter that it belongs to."""
    name, spec = call.peer.caller.counted_as, call.spec
    if isinstance(spec, RouteSpec) and (not spec.is_counted or call.peer.caller.scopes is None):
        return  # whoever needs no token is the user of this machine
    if rates.calls is not None:
        await _count(call, state, f"rate:{name}", rates.calls, _MINUTE, "calls")
    kind, most, a_day = (
        ("writes", rates.writes, rates.writes_a_day)
        if spec.writes
        else ("reads", rates.reads, rates.reads_a_day)
    )
    if most is not None:
        await _count(call, state, f"rate:{kind}:{name}", most, _MINUTE, kind)
    if a_day is not None:
        await _count(call, state, f"rate:day:{kind}:{name}", a_day, _DAY, kind)
    if spec.rate is not None:
        await _count(call, state, f"rate:{call.scope}", spec.rate, _MINUTE, f"calls of {spec.name}")


async def _count(call: Call, state: KeyValue, key: str, most: int, window: float, what: str) -> None:
    counted = await state.count(key, window)
    left = window if counted.left is None else counted.left
    call.counts.append(RateCount(most, counted.number, left))
    if counted.number > most:
        time = "minute" if window == _MINUTE else "day"
        raise RateLimited(f"More than {most} {what} per {time}.", retry_after=max(1, ceil(left)))
