"""How many calls a caller may make per minute and at once."""

from __future__ import annotations

import asyncio
from collections import deque
from math import ceil

from laconic.kit.errors import RateLimited
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.kit.settings import Rates
from laconic.stores.keyvalue import KeyValue

_WINDOW = 60.0


def limits(state: KeyValue, rates: Rates, concurrency: int) -> Step:
    """Run at most `concurrency` calls of a caller at once; refuse more per minute than `rates` allow."""
    places = _Places(concurrency)

    async def step(call: Call, inner: Inner) -> Answer:
        if call.relays:
            return await inner(call)  # the called tool is counted; with both, a call could wait for itself
        name = call.peer.caller.name
        if rates.calls is not None:
            await _count(state, f"rate:{name}", rates.calls, "calls")
        most, kind = (rates.writes, "writes") if call.spec.writes else (rates.reads, "reads")
        if most is not None:
            await _count(state, f"rate:{kind}:{name}", most, kind)
        if call.spec.rate is not None:
            await _count(state, f"rate:{call.scope}", call.spec.rate, f"calls of {call.spec.name}")
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


async def _count(state: KeyValue, key: str, most: int, what: str) -> None:
    counted = await state.count(key, _WINDOW)
    if counted.number > most:
        left = _WINDOW if counted.left is None else counted.left
        raise RateLimited(f"More than {most} {what} per minute.", retry_after=max(1, ceil(left)))
