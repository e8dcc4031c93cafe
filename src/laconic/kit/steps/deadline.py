"""Work that takes too long is cancelled, and the answer reports it."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from time import monotonic
from typing import Any

from laconic.kit.errors import TimedOut
from laconic.kit.pipeline import Answer, Call, Inner, Step, deadline_at, not_of_relays
from laconic.kit.threads import runs_on


def deadline(seconds: float) -> Step:
    """Cancel a call after its tool's deadline, or else after this one."""

    @not_of_relays  # the tool that it calls has its own deadline
    async def step(call: Call, inner: Inner) -> Answer:
        most = call.spec.deadline or seconds
        ends = monotonic() + most  # the clock of event loops; asking for the loop takes a system call
        call.deadline_at = ends if call.deadline_at is None else min(ends, call.deadline_at)
        before = deadline_at.get()
        deadline_at.set(call.deadline_at)
        try:
            work = inner(call).__await__()
            waits = work.send(None)
        except StopIteration as end:
            answer: Answer = end.value
            return answer  # work that never waits cannot be stopped: most small calls need no timer
        else:
            return await _in_time(call, _Rest(work, waits), most)
        finally:
            deadline_at.set(before)  # whoever made the call has no deadline of its own

    return step


async def _in_time(call: Call, work: _Rest, most: float) -> Answer:
    """Wait for the end of the work, or cancel it at the deadline."""
    task = asyncio.current_task()
    cancels = task.cancelling() if task else 0
    try:
        async with asyncio.timeout_at(call.deadline_at) as timer:
            call.timer = timer
            return await work
    except (TimeoutError, asyncio.CancelledError) as error:
        if not timer.expired():
            raise  # the tool's own time-out, or someone else's cancel
        while task and task.cancelling() > cancels:  # left by a task group before Python 3.13
            task.uncancel()
        is_left = runs_on(error.__cause__)
        end = ". It may still be running; its result is dropped." if is_left else " and was stopped."
        raise TimedOut(f"{call.spec.name} took longer than {most:g} s{end}") from None


class _Rest:
    """The rest of work that has run to where it first waits; awaiting it continues from there."""

    def __init__(self, work: Generator[Any, Any, Answer], waits: Any) -> None:
        self._work = work
        self._waits = waits

    def __await__(self) -> Generator[Any, Any, Answer]:
        waits = self._waits
        try:
            while True:
                try:
                    sent = yield waits
                except BaseException as error:  # a cancel, which the work must see
                    waits = self._work.throw(error)
                else:
                    waits = self._work.send(sent)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
