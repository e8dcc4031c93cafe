"""How many calls a caller may make per minute and at once."""

from __future__ import annotations

import asyncio
from collections import deque
from math import ceil
from weakref import WeakValueDictionary

from laconic.kit.errors import RateLimited
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.kit.settings import Rates
from laconic.stores.keyvalue import KeyValue

_WINDOW = 60.0
_RECENT = 64  # callers whose semaphore is kept between calls: the next call comes soon


def limits(state: KeyValue, rates: Rates, concurrency: int) -> Step:
    """Run at most `concurrency` calls of a caller at once; refuse more per minute than `rates` allow."""
    places: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
    recent: deque[asyncio.Semaphore] = deque(maxlen=_RECENT)

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
        place = places.get(name)
        if place is None:
            place = places[name] = asyncio.Semaphore(concurrency)
            recent.append(place)
        async with place:
            return await inner(call)

    return step


async def _count(state: KeyValue, key: str, most: int, what: str) -> None:
    counted = await state.count(key, _WINDOW)
    if counted.number > most:
        left = _WINDOW if counted.left is None else counted.left
        raise RateLimited(f"More than {most} {what} per minute.", retry_after=max(1, ceil(left)))
