"""Composition: run parts concurrently, keep what succeeded, report what failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any

from laconic.kit.errors import Bug, Failure, TimedOut
from laconic.kit.errors.notices import unbroken
from laconic.kit.pipeline import time_left
from laconic.kit.redaction import Redactor
from laconic.kit.running import answerable

__all__ = ["Parts", "settle"]

_MARGIN = 0.1  # of the time left, kept for putting the answer together


@dataclass(frozen=True)
class Parts:
    """The value or the failure of each part."""

    values: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        """Return the value of a part; None if it failed."""
        return self.values.get(name)

    def missing(self) -> str:
        """Return one line per failed part: what is not in the answer, and why."""
        return "\n".join(
            f"Left out: {name} ({Redactor().for_model(unbroken(failure.message), safe=failure.safe)})"
            for name, failure in self.failures.items()
        )


async def settle(**parts: Awaitable[Any]) -> Parts:
    """Wait for all parts within the call's deadline; a part that fails or is late does not affect the others.

    Raises:
        Failure: the first one, when no part succeeded.
    """
    tasks = {name: asyncio.ensure_future(_answerable(part)) for name, part in parts.items()}
    try:
        if tasks:
            left = time_left()
            await asyncio.wait(tasks.values(), timeout=None if left is None else left * (1 - _MARGIN))
    finally:
        await _stop([task for task in tasks.values() if not task.done()])
    settled = Parts()
    for name, task in tasks.items():
        failure = _failure(name, task)
        if failure is None:
            settled.values[name] = task.result()
        else:
            settled.failures[name] = failure
    if tasks and not settled.values:
        raise next(iter(settled.failures.values()))
    return settled


async def _answerable(part: Awaitable[Any]) -> Any:
    """Wait for a part; what would end the program, which a task may not raise, is a bug of the part."""
    try:
        return await part
    except (SystemExit, KeyboardInterrupt) as error:
        raise answerable(error) from error


async def _stop(late: list[asyncio.Future[Any]]) -> None:
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


def _failure(name: str, task: asyncio.Future[Any]) -> Failure | None:
    if task.cancelled():
        return TimedOut(f"{name} was not ready in time.")
    error = task.exception()
    if error is None or isinstance(error, Failure):
        return error
    if not isinstance(error, Exception):
        raise error  # a question to the user, or the end of the process: not for us to handle
    return Bug(f"{name} failed unexpectedly ({type(error.__cause__ or error).__name__}).")
