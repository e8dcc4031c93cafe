"""Work that is started begins at once, and is a task like any other."""

import asyncio
from contextvars import ContextVar

import pytest

from laconic.kit.wire.loops import started

WHERE: ContextVar[str] = ContextVar("where", default="outside")


async def started_in_a_callback(work: object) -> asyncio.Task[None]:
    """Start work as a wire does: in a callback of the event loop, not in a task."""
    made: asyncio.Future[asyncio.Task[None]] = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()
    loop.call_soon(lambda: made.set_result(started(work, loop)))  # type: ignore[arg-type]
    return await made


async def test_work_that_never_waits_is_done_when_it_is_started() -> None:
    found: list[object] = []

    async def work() -> None:
        WHERE.set("inside")
        found.extend([asyncio.current_task(), WHERE.get()])

    states: list[bool] = []
    loop = asyncio.get_running_loop()
    loop.call_soon(lambda: states.append(started(work(), loop).done()))
    await asyncio.sleep(0)

    assert states == [True]
    assert isinstance(found[0], asyncio.Task)
    assert found[1] == "inside" and WHERE.get() == "outside"


async def test_work_that_waits_goes_on_and_can_be_cancelled() -> None:
    gate, steps = asyncio.Event(), list[str]()

    async def work() -> None:
        steps.append("first")
        try:
            async with asyncio.timeout(60):
                await gate.wait()
            steps.append("done")
        except asyncio.CancelledError:
            steps.append("cancelled")
            raise

    first, second = await started_in_a_callback(work()), await started_in_a_callback(work())
    assert steps == ["first", "first"]
    second.cancel()
    await asyncio.wait([second])
    gate.set()
    await first

    assert steps == ["first", "first", "cancelled", "done"]
    assert second.cancelled() and not first.cancelled()


async def test_what_it_raises_is_its_own() -> None:
    async def work() -> None:
        raise ValueError("wrong")

    task = await started_in_a_callback(work())

    assert task.done()
    with pytest.raises(ValueError, match="wrong"):
        await task


async def test_inside_a_task_it_begins_too() -> None:
    async def work() -> None:
        assert asyncio.current_task() is not outer

    outer = asyncio.current_task()
    await started(work(), asyncio.get_running_loop())

    assert asyncio.current_task() is outer
