"""Signals of a web server: it hears of one when the calls in progress have ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from laconic.kit.stopping import Stop

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def drained_on_signals(stop: Stop, grace: float) -> Iterator[None]:
    """Hold back a signal from the handlers that the web server installed until no call is in progress.

    A signal that was ignored stays ignored.
    """
    loop = asyncio.get_running_loop()
    found: dict[int, Any] = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: handler for number, handler in found.items() if handler not in (signal.SIG_IGN, None)}
    draining: set[asyncio.Task[None]] = set()  # the event loop itself would not keep it

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    async def drain(number: int) -> None:
        await stop.drain(grace)
        restore()
        signal.raise_signal(number)

    def begin(number: int) -> None:
        draining.add(loop.create_task(drain(number)))

    def hear(number: int, frame: Any) -> None:
        if not stop.is_asked:
            stop.is_asked = True
            loop.call_soon_threadsafe(begin, number)
        elif number == signal.SIGINT:
            loop.call_soon_threadsafe(stop.hurry)  # somebody pressed Ctrl-C again

    for number in before:
        signal.signal(number, hear)
    try:
        yield
    finally:
        restore()
