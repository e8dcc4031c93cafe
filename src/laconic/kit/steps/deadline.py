"""Work that takes too long is cancelled, for real, and said to be."""

from __future__ import annotations

import asyncio

from laconic.kit.errors import TimedOut
from laconic.kit.pipeline import Answer, Call, Inner, Step, ends


def deadline(seconds: float) -> Step:
    """Cancel a call after its tool's deadline, or this one."""

    async def step(call: Call, inner: Inner) -> Answer:
        if call.spec.relays:
            return await inner(call)  # what it calls has a deadline of its own
        most = call.spec.deadline or seconds
        task = asyncio.current_task()
        cancels = task.cancelling() if task else 0
        try:
            async with asyncio.timeout(most) as timer:
                call.timer = timer
                ends.set(timer.when())
                return await inner(call)
        except (TimeoutError, asyncio.CancelledError):
            if not timer.expired():
                raise  # the tool's own time-out, or someone else's cancel
            while task and task.cancelling() > cancels:  # left by a task group before Python 3.13
                task.uncancel()
            changed = None if call.spec.writes else False
            raise TimedOut(
                f"{call.spec.name} took longer than {most:g} s and was stopped.", changed=changed
            ) from None

    return step
