"""Chores: what is done beside the calls while a library is open, looked at once an hour."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from laconic.stores import StoreError

__all__ = ["Chore", "Chores"]

log = logging.getLogger("laconic.library")
_HOUR: Final = 3600.0
Chore = Callable[[], Awaitable[object]]
"""Does what is due, or nothing."""


class Chores:
    """Does chores one after the other; no call waits for them, and one that fails is tried again later."""

    def __init__(self, chores: Sequence[Chore]) -> None:
        self._chores = chores
        self._task: asyncio.Task[None] | None = None
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Do what is due, now and once an hour."""
        if self._chores:
            self._task = asyncio.create_task(self._look(), context=contextvars.Context())

    async def close(self) -> None:
        """Stop; a chore that was started is finished."""
        if self._task is None:
            return
        async with self._busy:
            self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _look(self) -> None:
        while True:
            async with self._busy:
                for chore in self._chores:
                    await self._done(chore)
            await asyncio.sleep(_HOUR)

    async def _done(self, chore: Chore) -> None:
        try:
            await chore()
        except StoreError as error:  # the library itself works on
            log.warning("a chore of the library has to wait: %s", error)
