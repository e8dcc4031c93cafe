"""Signs of life: how a running call tells other processes and machines that it still runs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Final

from laconic.stores.errors import StoreError
from laconic.stores.keyvalue import KeyValue

__all__ = ["SILENT", "SignsOfLife", "is_alive"]

SILENT: Final = 15.0  # seconds without a sign until a call in another process counts as interrupted
_BEAT: Final = 5.0  # seconds between two signs; most calls end before the first


async def is_alive(state: KeyValue, fence: str) -> bool:
    """True if a call gave a sign lately."""
    return await state.get(_name(fence)) is not None


class SignsOfLife:
    """Signs of life of a running call, for those in other processes who wait for it."""

    def __init__(self, state: KeyValue, fence: str) -> None:
        self._state = state
        self._fence = fence
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_BEAT, self._start)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    def _start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._repeat())

    async def _repeat(self) -> None:
        while True:
            with suppress(StoreError):  # it may be back for the next one
                await self._state.put(_name(self._fence), b"", SILENT)
            await asyncio.sleep(_BEAT)


def _name(fence: str) -> str:
    return f"alive:{fence}"
