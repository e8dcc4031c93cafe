"""A small record that all processes of a user share: what upstream expects of whoever keeps it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import Protocol

__all__ = ["OwnRecord", "SharedRecord", "held"]


class SharedRecord(Protocol):
    """A few bytes, changed by one process at a time; `laconic.stores.SharedFile` is one."""

    def read(self) -> bytes:
        """Return the content; empty if nothing was written yet."""
        ...

    def write(self, content: bytes) -> None:
        """Replace the content; the caller holds the lock."""
        ...

    def lock(self) -> AbstractContextManager[bool]:
        """Hold the lock if it is free now; False if another task or process has it."""
        ...


class OwnRecord:
    """A record of this process alone."""

    def __init__(self) -> None:
        self._content = b""
        self._is_held = False

    def read(self) -> bytes:
        """Return the content."""
        return self._content

    def write(self, content: bytes) -> None:
        """Replace the content."""
        self._content = content

    @contextmanager
    def lock(self) -> Iterator[bool]:
        """Hold the lock if it is free now."""
        if self._is_held:
            yield False
            return
        self._is_held = True
        try:
            yield True
        finally:
            self._is_held = False


@asynccontextmanager
async def held(record: SharedRecord, patience: float) -> AsyncIterator[bool]:
    """Wait for the lock of a record and hold it; False if it was not free in time. Other tasks go on."""
    ends = asyncio.get_running_loop().time() + patience
    while True:
        with record.lock() as is_ours:
            if is_ours or asyncio.get_running_loop().time() >= ends:
                yield is_ours
                return
        await asyncio.sleep(random.uniform(0.002, 0.02))  # out of step with other waiters
