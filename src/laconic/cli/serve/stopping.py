"""Ending in good order when told to: SIGTERM, or Ctrl-C."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    import asyncio

__all__ = ["exit_on_signals", "until_stopped"]

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
_PATIENCE: Final = 3.0  # seconds for calls and stores to end; hosts kill after five or so
_REST: Final = 0.5  # seconds between closing everything and the end

Handler = Callable[[int, Any], None]


def exit_on_signals() -> None:
    """Let a signal end the process with status 0 from here on; what serves may put its own way in place."""
    _handle(lambda number, frame: sys.exit(0))


def _handle(handler: Handler) -> None:
    for number in _SIGNALS:
        signal.signal(number, handler)


async def until_stopped(serve: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> None:
    """Serve until the client goes or a signal comes; `serve` sets its event when all is closed."""
    import asyncio

    loop, asked, closed = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def stop(number: int, frame: Any) -> None:
        impatient = threading.Timer(_PATIENCE, _leave)  # a tool may block the loop, and with it all below
        impatient.daemon = True
        impatient.start()
        loop.call_soon_threadsafe(asked.set)

    _handle(stop)
    serving = asyncio.create_task(serve(closed))
    waits = [asyncio.create_task(asked.wait()), asyncio.create_task(closed.wait())]
    await asyncio.wait([serving, *waits], return_when=asyncio.FIRST_COMPLETED)
    if asked.is_set():
        serving.cancel()
        await closed.wait()
        _leave()
    for wait in waits:
        wait.cancel()
    await _ended(serving)


async def _ended(serving: asyncio.Task[None]) -> None:
    """Everything is closed: see the task to its end, or leave it where it cannot end."""
    import asyncio

    await asyncio.wait([serving], timeout=_REST)
    if not serving.done():  # it can write no more, and still waits to read
        _leave()
    try:
        serving.result()
    except* BrokenPipeError:
        pass  # the client went without a word


def _leave() -> NoReturn:
    """End at once: the thread that reads stdin waits for a line that may never come."""
    logging.shutdown()
    os._exit(0)
