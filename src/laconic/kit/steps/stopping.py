"""A server that is stopping takes no new calls, and answers those that it cannot finish."""

from __future__ import annotations

import asyncio

from laconic.kit.errors import Unavailable
from laconic.kit.pipeline import Answer, Call, Inner, Step, not_of_relays
from laconic.kit.stopping import Stop


def stopping(stop: Stop) -> Step:
    """Refuse a call if the server is stopping; answer one that was cancelled because of it."""

    @not_of_relays
    async def step(call: Call, inner: Inner) -> Answer:
        if stop.is_asked:
            raise Unavailable(f"The server is stopping and did not start {call.spec.name}.")
        task = asyncio.current_task()
        assert task is not None
        call.loop = task.get_loop()
        cancels = task.cancelling()
        stop.enter(call, task)
        try:
            return await inner(call)
        except asyncio.CancelledError:
            if not stop.is_final:
                raise
            while task.cancelling() > cancels:
                task.uncancel()
            raise Unavailable(f"The server is stopping and could not finish {call.spec.name}.") from None
        finally:
            stop.leave(call)

    return step
