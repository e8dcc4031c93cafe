"""A read is tried again if another system was down; a write never is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from time import monotonic

from laconic.kit.errors import UpstreamDown
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for, time_left

_MARGIN = 0.1  # of the time left, so that a busy machine does not turn the failure into a time-out


def retry(
    attempts: int,
    pause: float = 0.5,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    chance: Callable[[], float] = random.random,
) -> Step:
    """Try reads up to `attempts` times, or as often as the tool declares, while time allows."""

    @only_for(lambda spec: not spec.writes)
    async def step(call: Call, inner: Inner) -> Answer:
        for attempt in range(1, call.spec.attempts or attempts):
            began = monotonic()
            try:
                return await inner(call)
            except UpstreamDown as error:
                took = monotonic() - began
                wait = error.retry_after or pause * 2 ** (attempt - 1) * (1 + chance())
                if not _in_time(wait + took):
                    raise
                await sleep(wait)
        return await inner(call)

    return step


def _in_time(needed: float) -> bool:
    left = time_left()
    return left is None or needed < left * (1 - _MARGIN)
