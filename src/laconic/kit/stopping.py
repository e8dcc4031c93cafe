"""The end of a server: new calls are refused, and those in progress have a while to finish."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

__all__ = ["Stop", "is_final"]

_FINAL: Final = "the server is stopping"
_LAST: Final = 1.0  # seconds for a call to end after it was cancelled
_REST: Final = 0.2  # seconds for the transport to send the last answers


def is_final(cancelled: asyncio.CancelledError) -> bool:
    """True if the server stops: even work that cannot be stopped must be answered now."""
    return cancelled.args == (_FINAL,)


class Stop:
    """The calls in progress, and whether the server is stopping."""

    def __init__(self) -> None:
        self.is_asked = False  # new calls are refused
        self.is_final = False  # calls in progress are cancelled
        self._calls: dict[int, asyncio.Task[Any]] = {}
        self._waits: asyncio.Event | None = None  # for the last call to end

    def enter(self, call: object, task: asyncio.Task[Any]) -> None:
        """Note that a call has started."""
        self._calls[id(call)] = task

    def leave(self, call: object) -> None:
        """Note that a call has ended."""
        del self._calls[id(call)]
        if self._waits is not None and not self._calls:
            self._waits.set()

    def hurry(self) -> None:
        """End the grace now."""
        if self._waits is not None:
            self._waits.set()

    async def drain(self, grace: float) -> None:
        """Refuse new calls, wait for those in progress, and cancel those that take longer than the grace."""
        self.is_asked = True
        if not self._calls:
            return
        await self._ended(grace)
        self.is_final = True
        for task in set(self._calls.values()):
            task.cancel(_FINAL)
        if self._calls:
            await self._ended(_LAST)
        await asyncio.sleep(_REST)

    async def _ended(self, seconds: float) -> None:
        self._waits = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._waits.wait()
