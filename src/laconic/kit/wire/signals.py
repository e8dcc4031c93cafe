"""Signals of a web server: it hears of one when the calls in progress have ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from laconic.kit.stopping import Stop

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def drained_on_signals(stop: Stop, grace: float) -> Iterator[None]:
    """Hold back a signal from the handlers that the web server installed until no call is in progress."""
    loop = asyncio.get_running_loop()
    before: dict[int, Any] = {number: signal.getsignal(number) for number in _SIGNALS}
    draining: set[asyncio.Task[None]] = set()  # the event loop itself would not keep it

    async def drain(heard: Callable[[], Any]) -> None:
        await stop.drain(grace)
        heard()

    def begin(number: int, frame: Any) -> None:
        draining.add(loop.create_task(drain(lambda: before[number](number, frame))))

    def hear(number: int, frame: Any) -> None:
        if not stop.is_asked:
            stop.is_asked = True
            loop.call_soon_threadsafe(begin, number, frame)
        elif number == signal.SIGINT:
            loop.call_soon_threadsafe(stop.hurry)  # somebody pressed Ctrl-C again

    for number in _SIGNALS:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number in _SIGNALS:
            signal.signal(number, before[number])
