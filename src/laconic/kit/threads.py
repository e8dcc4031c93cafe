"""Plain functions as tools: work that never waits runs in a thread of its toolset, one call after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import cached_property, partial, wraps
from typing import Any

from laconic.kit.declaring.spec import Function

__all__ = ["Worker"]


class Worker:
    """The one thread in which a toolset's plain functions run: they need no locks among themselves."""

    def __init__(self, toolset: str) -> None:
        self._toolset = toolset

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max_workers=1, thread_name_prefix=self._toolset)

    def awaited(self, function: Callable[..., Any], *, writes: bool) -> Function:
        """Make it a function that can be awaited, and leaves the event loop free meanwhile."""

        @wraps(function)
        async def run(**values: Any) -> Any:
            begun = self._pool.submit(copy_context().run, partial(function, **values))
            value = asyncio.wrap_future(begun)
            if not writes:
                return await value  # when cancelled, nobody waits for what it finds
            try:
                return await asyncio.shield(value)
            except asyncio.CancelledError:
                if begun.cancel():
                    raise  # it did not begin
                return await _ended(value)

        return run


async def _ended(value: asyncio.Future[Any]) -> Any:
    """A change that has begun cannot be stopped: its answer is worth more than an "unknown"."""
    while not value.done():
        with suppress(asyncio.CancelledError):  # said once is enough
            await asyncio.wait([value])
    return value.result()
