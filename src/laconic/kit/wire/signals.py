"""Signals that stop a server: SIGTERM and Ctrl-C. Calls in progress have a while to finish."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

from laconic.kit.stopping import Stop

__all__ = ["GRACE", "drained_on_signals", "ended_by_signals", "handled", "until_stopped"]

GRACE: Final = 3.0  # seconds for calls to finish on stdio; hosts kill about five seconds after they ask
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
_PATIENCE: Final = 3.0  # further seconds, for calls that were cancelled and for stores
_REST: Final = 0.5  # seconds between closing everything and exiting

Handler = Callable[[int, Any], None]
Serve = Callable[[asyncio.Event], Coroutine[Any, Any, None]]
"""Serves until it is cancelled or the client leaves, and sets its event when everything is closed."""


@contextmanager
def handled(handler: Handler) -> Iterator[None]:
    """Handle the signals; one that was ignored stays ignored, and outside of the main thread all are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    found = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: old for number, old in found.items() if old not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


class _Ended(BaseException):
    """A signal came."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Leave the block when a signal comes: for work before there is an event loop."""

    def end(number: int, frame: Any) -> None:
        raise _Ended

    try:
        with handled(end):
            yield
    except _Ended:
        pass


async def until_stopped(serve: Serve, stop: Stop, grace: float, *, exits: bool) -> None:
    """Serve on stdio until the client leaves or a signal arrives; then return or, with `exits`, exit.

    After a signal the process ends within a few seconds more than the grace, whatever a tool does.
    """
    loop, asked, closed = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def hear(number: int, frame: Any) -> None:
        if asked.is_set():
            if number == signal.SIGINT:  # somebody pressed Ctrl-C again
                loop.call_soon_threadsafe(stop.hurry)
            return
        timer = threading.Timer(grace + _PATIENCE, _exit_now)  # a tool may block the loop
        timer.daemon = True
        timer.start()
        loop.call_soon_threadsafe(asked.set)

    with handled(hear):
        serving = asyncio.create_task(serve(closed))
        waits = [asyncio.create_task(asked.wait()), asyncio.create_task(closed.wait())]
        await asyncio.wait([serving, *waits], return_when=asyncio.FIRST_COMPLETED)
        if asked.is_set():
            await stop.drain(grace)
            serving.cancel()
            await closed.wait()
            if exits:
                _exit_now()
        for wait in waits:
            wait.cancel()
        await _ended(serving)


async def _ended(serving: asyncio.Task[None]) -> None:
    """Wait for the task to end after everything is closed, or exit if it cannot end."""
    await asyncio.wait([serving], timeout=_REST)
    if not serving.done():  # it cannot write any more, and still waits for input
        _exit_now()
    if serving.cancelled():
        return
    try:
        serving.result()
    except* BrokenPipeError:
        pass  # the client left without notice


def _exit_now() -> NoReturn:
    """Exit at once: the thread that reads stdin may wait forever."""
    logging.shutdown()
    os._exit(0)


@contextmanager
def drained_on_signals(stop: Stop, grace: float, last: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold back a signal from the handlers that the web server installed until no call is in progress.

    Then `last` ends what would stay open. A signal that was ignored stays ignored.
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
        last()
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
