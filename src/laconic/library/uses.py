"""Uses: that an item was used is noted after the answer, and a failure of it fails nothing."""

from __future__ import annotations

import asyncio
import contextvars
import logging

from laconic.stores import Shelf

__all__ = ["Uses"]

log = logging.getLogger("laconic.library")


class Uses:
    """Notes uses beside the calls that made them."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, id: str) -> None:
        """Note a use later; the call has no part in it."""
        task = asyncio.create_task(self._noted(id), context=contextvars.Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Wait for what is still to be noted."""
        await asyncio.gather(*self._tasks)

    async def _noted(self, id: str) -> None:
        try:
            await self._shelf.run(lambda desk: desk.use(id))
        except Exception as error:  # a counter must not fail anything
            log.warning("the use of %s was not noted: %s", id, type(error).__name__)
