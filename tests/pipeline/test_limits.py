"""How often and how much at once a caller may call."""

import asyncio
from typing import Any

import pytest

from laconic.kit import Endpoint, Settings, Toolset
from laconic.kit.peer import Caller, SilentPeer
from laconic.stores.keyvalue.memory import MemoryStore


def _counting(running: list[int]) -> Toolset:
    busy = Toolset("busy")

    @busy.read
    async def busy_work() -> int:
        """Work a little."""
        running[0] += 1
        running[1] = max(running[1], running[0])
        await asyncio.sleep(0.01)
        running[0] -= 1
        return running[1]

    return busy


async def test_a_caller_runs_only_so_many_calls_at_once_and_the_others_wait() -> None:
    running = [0, 0]
    endpoint = Endpoint([_counting(running)], settings=Settings(concurrency=3))
    answers = await asyncio.gather(*(endpoint.call_tool("busy_work", {}, SilentPeer()) for _ in range(12)))
    assert running[1] == 3
    assert all(answer.failure is None for answer in answers)


async def test_calls_wait_in_their_order_and_those_that_are_cancelled_take_no_place() -> None:
    gates, order = [asyncio.Event() for _ in range(6)], []
    gated = Toolset("gated")

    @gated.read
    async def pass_gate(number: int) -> str:
        """Wait at a gate."""
        order.append(number)
        await gates[number].wait()
        return "passed"

    endpoint = Endpoint([gated], settings=Settings(concurrency=1))
    calls = [
        asyncio.create_task(endpoint.call_tool("pass_gate", {"number": number}, SilentPeer()))
        for number in range(6)
    ]
    await _rounds()
    calls[1].cancel()  # while it waits
    gates[0].set()
    await _rounds(until=calls[0])
    calls[2].cancel()  # when the place is, or is about to be, its own
    for gate in gates:
        gate.set()
    ended = await asyncio.gather(*calls, return_exceptions=True)
    again = await endpoint.call_tool("pass_gate", {"number": 0}, SilentPeer())

    assert [isinstance(one, asyncio.CancelledError) for one in ended] == [
        False,
        True,
        True,
        False,
        False,
        False,
    ]
    assert [number for number in order if number != 2] == [0, 3, 4, 5, 0]
    assert again.failure is None


async def _rounds(until: "asyncio.Task[Any] | None" = None) -> None:
    """Let others run: some rounds of the event loop, or until a task is done."""
    for _ in range(50):
        if until is not None and until.done():
            return
        await asyncio.sleep(0)


async def test_one_caller_does_not_take_anothers_place() -> None:
    running = [0, 0]
    endpoint = Endpoint([_counting(running)], settings=Settings(concurrency=1))
    ann, bob = SilentPeer(Caller("ann")), SilentPeer(Caller("bob"))
    await asyncio.gather(*(endpoint.call_tool("busy_work", {}, peer) for peer in (ann, bob)))
    assert running[1] == 2


@pytest.mark.requirement("003-6.6")
async def test_more_calls_than_the_rate_are_refused_with_the_time_to_wait() -> None:
    clock = [1000.0]
    state = MemoryStore(now=lambda: clock[0])
    endpoint = Endpoint([_counting([0, 0])], settings=Settings(rate=2), state=state)
    peer = SilentPeer()
    for _ in range(2):
        assert (await endpoint.call_tool("busy_work", {}, peer)).failure is None
    clock[0] += 22.5
    answer = await endpoint.call_tool("busy_work", {}, peer)
    assert answer.failure is not None
    assert answer.failure.code == "RATE_LIMIT_EXCEEDED"
    assert "Retry after 38 s." in answer.text
    assert answer.failure.record()["retryAfterMs"] == 38_000
    clock[0] += 38
    assert (await endpoint.call_tool("busy_work", {}, peer)).failure is None


async def test_reads_and_writes_have_rates_of_their_own() -> None:
    notes = Toolset("notes")

    @notes.read
    async def note_get() -> str:
        """Read a note."""
        return "read"

    @notes.create
    async def note_add() -> str:
        """Add a note."""
        return "added"

    endpoint = Endpoint([notes], settings=Settings(read_rate=3, write_rate=1))
    peer = SilentPeer()

    async def failures(tool: str) -> list[bool]:
        return [(await endpoint.call_tool(tool, {}, peer)).failure is not None for _ in range(4)]

    assert await failures("note_add") == [False, True, True, True]
    assert await failures("note_get") == [False, False, False, True]
    assert "More than 1 writes per minute." in (await endpoint.call_tool("note_add", {}, peer)).text


async def test_the_rate_is_each_callers_own() -> None:
    endpoint = Endpoint([_counting([0, 0])], settings=Settings(rate=1))
    for name in ("ann", "bob"):
        answer = await endpoint.call_tool("busy_work", {}, SilentPeer(Caller(name)))
        assert answer.failure is None


async def test_a_tool_can_have_a_rate_of_its_own() -> None:
    costly = Toolset("costly")

    @costly.read(rate=1)
    async def costly_read() -> str:
        """Read something dear."""
        return "dear"

    @costly.read
    async def cheap_read() -> str:
        """Read something cheap."""
        return "cheap"

    endpoint = Endpoint([costly])
    assert (await endpoint.call_tool("costly_read", {}, SilentPeer())).failure is None
    second = await endpoint.call_tool("costly_read", {}, SilentPeer())
    assert "More than 1 calls of costly_read per minute." in second.text
    assert (await endpoint.call_tool("cheap_read", {}, SilentPeer())).failure is None
