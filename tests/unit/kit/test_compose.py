"""Concurrent parts: what succeeded is kept, what failed is reported."""

import asyncio
from typing import Any

import pytest

from laconic.kit import Endpoint, Failure, Toolset, UpstreamDown, settle
from laconic.kit.peer import SilentPeer


async def _give(value: Any, after: float = 0.0) -> Any:
    await asyncio.sleep(after)
    if isinstance(value, Exception):
        raise value
    return value


@pytest.mark.requirement("003-9.3")
async def test_a_part_that_fails_spoils_no_other() -> None:
    parts = await settle(repo=_give("laconic"), commits=_give(UpstreamDown("Git is away.")), issues=_give(3))
    assert parts.values == {"repo": "laconic", "issues": 3}
    assert parts["commits"] is None
    assert parts.missing() == "Left out: commits (Git is away.)"


@pytest.mark.requirement("003-9.2")
async def test_the_parts_run_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def meet() -> str:
        await both.wait()
        return "met"

    async with asyncio.timeout(5):
        parts = await settle(one=meet(), two=meet())
    assert parts.values == {"one": "met", "two": "met"}


async def test_when_nothing_succeeded_it_is_a_failure() -> None:
    with pytest.raises(Failure, match="Git is away"):
        await settle(a=_give(UpstreamDown("Git is away.")), b=_give(ValueError("x")))


async def test_a_bug_in_a_part_is_said_without_its_details() -> None:
    parts = await settle(good=_give(1), bad=_give(ValueError("secret")))
    assert parts.missing() == "Left out: bad (bad failed unexpectedly (ValueError).)"


async def test_a_late_part_is_stopped_and_the_rest_is_answered_in_time() -> None:
    stopped: list[str] = []
    summary = Toolset("summary")

    async def slow() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append("slow")
            raise
        return "never"

    @summary.read(deadline=2)
    async def summary_read() -> str:
        """Sum up."""
        parts = await settle(quick=_give("ready"), slow=slow())
        return f"{parts['quick']}\n{parts.missing()}"

    endpoint = Endpoint([summary])
    answer = await endpoint.call_tool("summary_read", {}, SilentPeer())
    assert answer.failure is None
    assert answer.text == "ready\nLeft out: slow (slow was not ready in time.)"
    assert stopped == ["slow"]


async def test_a_part_that_would_end_the_program_is_left_out() -> None:
    async def leave() -> str:
        raise SystemExit(3)

    parts = await settle(repo=_give("laconic"), commits=leave())
    assert parts.values == {"repo": "laconic"}
    assert parts.missing() == "Left out: commits (commits failed unexpectedly (SystemExit).)"
