"""Uses: when a prompt was used last and how often, noted after the answer."""

from __future__ import annotations

import asyncio
import contextvars
import logging

from laconic.stores import Shelf

__all__ = ["Uses"]

log = logging.getLogger("laconic.prompts")


class Uses:
    """Notes uses; nobody waits for it, and no failure of it is anybody's."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._notes: set[asyncio.Task[None]] = set()

    def note(self, id: str) -> None:
        """Note a use after the answer; the call has no part in it."""
        task = asyncio.create_task(self._note(id), context=contextvars.Context())
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def close(self) -> None:
        """Wait for what is still to be noted."""
        await asyncio.gather(*self._notes)

    async def _note(self, id: str) -> None:
        try:
            await self._shelf.run(lambda desk: desk.use(id))
        except Exception as error:  # a counter must not fail anything
            log.warning("the use of %s was not noted: %s", id, type(error).__name__)
