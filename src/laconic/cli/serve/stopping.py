"""Clean shutdown on SIGTERM or Ctrl-C."""

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

    from laconic.cli.configuration.options import ServerOptions
    from laconic.kit.endpoint import Endpoint

__all__ = ["exit_on_signals", "until_stopped"]

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
_GRACE: Final = 3.0  # seconds for calls to finish; hosts kill about five seconds after they ask
_PATIENCE: Final = 3.0  # further seconds, for calls that were cancelled and for stores
_REST: Final = 0.5  # seconds between closing everything and exiting

Handler = Callable[[int, Any], None]


def exit_on_signals() -> None:
    """From now on, exit with status 0 on a signal; serving installs its own handler later."""
    _handle(lambda number, frame: sys.exit(0))


def _handle(handler: Handler) -> None:
    for number in _SIGNALS:
        signal.signal(number, handler)


async def until_stopped(
    serve: Callable[[asyncio.Event], Coroutine[Any, Any, None]], endpoint: Endpoint, options: ServerOptions
) -> None:
    """Serve until the client leaves or a signal arrives; `serve` sets its event when everything is closed."""
    import asyncio

    loop, asked, closed = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    grace = _GRACE if options.grace is None else options.grace

    def stop(number: int, frame: Any) -> None:
        if asked.is_set():
            if number == signal.SIGINT:  # somebody pressed Ctrl-C again
                loop.call_soon_threadsafe(endpoint.stop.hurry)
            return
        timer = threading.Timer(grace + _PATIENCE, _exit_now)  # a tool may block the loop
        timer.daemon = True
        timer.start()
        loop.call_soon_threadsafe(asked.set)

    _handle(stop)
    serving = asyncio.create_task(serve(closed))
    waits = [asyncio.create_task(asked.wait()), asyncio.create_task(closed.wait())]
    await asyncio.wait([serving, *waits], return_when=asyncio.FIRST_COMPLETED)
    if asked.is_set():
        await endpoint.stop.drain(grace)
        serving.cancel()
        await closed.wait()
        _exit_now()
    for wait in waits:
        wait.cancel()
    await _ended(serving)


async def _ended(serving: asyncio.Task[None]) -> None:
    """Wait for the task to end after everything is closed, or exit if it cannot end."""
    import asyncio

    await asyncio.wait([serving], timeout=_REST)
    if not serving.done():  # it cannot write any more, and still waits for input
        _exit_now()
    try:
        serving.result()
    except* BrokenPipeError:
        pass  # the client left without notice


def _exit_now() -> NoReturn:
    """Exit at once: the thread that reads stdin may wait forever."""
    logging.shutdown()
    os._exit(0)
