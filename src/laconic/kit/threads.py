"""Synchronous functions as tools: they run in one thread per toolset, one call after another."""

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
    """The one thread that runs a toolset's synchronous functions, so they need no locks between them."""

    def __init__(self, toolset: str) -> None:
        self._toolset = toolset

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max_workers=1, thread_name_prefix=self._toolset)

    def awaited(self, function: Callable[..., Any], *, writes: bool) -> Function:
        """Return an async function that runs this one in the thread and leaves the event loop free."""

        @wraps(function)
        async def run(**values: Any) -> Any:
            job = self._pool.submit(copy_context().run, partial(function, **values))
            value = asyncio.wrap_future(job)
            if not writes:
                return await value  # when cancelled, nobody waits for the result
            try:
                return await asyncio.shield(value)
            except asyncio.CancelledError:
                if job.cancel():
                    raise  # it had not started
                return await _finished(value)

        return run


async def _finished(value: asyncio.Future[Any]) -> Any:
    """Wait for a write that has started: it cannot be stopped, and its answer is better than "unknown"."""
    while not value.done():
        with suppress(asyncio.CancelledError):  # further cancels change nothing
            await asyncio.wait([value])
    return value.result()
