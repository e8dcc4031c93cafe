"""Work that takes too long is stopped, for real."""

import asyncio
from typing import Any

import pytest

from laconic.kit import Settings, Toolset
from laconic.kit.testing import ERAS, connect


def _slow(stopped: list[str], **options: Any) -> Toolset:
    slow = Toolset("slow")

    @slow.read(**options)
    async def slow_read() -> str:
        """Take for ever."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append("stopped")
            raise
        return "done"

    @slow.update(deadline=0.05)
    async def slow_write() -> str:
        """Take for ever."""
        await asyncio.sleep(60)
        return "done"

    @slow.read
    async def own_timeout() -> str:
        """Give up by itself."""
        raise TimeoutError("upstream")

    return slow


@pytest.mark.parametrize("era", ERAS)
async def test_the_work_is_cancelled_when_its_time_is_up(era: str) -> None:
    stopped: list[str] = []
    async with connect(_slow(stopped, deadline=0.05), era=era) as client:
        reply = await client.call("slow_read")
    assert reply.error["code"] == "TIMEOUT"
    assert "slow_read took longer than 0.05 s and was stopped." in reply.text
    assert stopped == ["stopped"]


async def test_the_servers_own_deadline_holds_where_a_tool_names_none() -> None:
    stopped: list[str] = []
    async with connect(_slow(stopped), settings=Settings(deadline=0.05)) as client:
        reply = await client.call("slow_read")
    assert reply.error["code"] == "TIMEOUT"


async def test_a_stopped_write_says_that_it_may_have_changed_something() -> None:
    async with connect(_slow([])) as client:
        reply = await client.call("slow_write")
    assert "not known whether anything was changed" in reply.text


async def test_a_tools_own_time_out_is_not_taken_for_the_deadline() -> None:
    async with connect(_slow([])) as client:
        reply = await client.call("own_timeout")
    assert reply.error["code"] == "INTERNAL_ERROR"
