"""Reads that were declared so are answered from memory for a while."""

import asyncio
from typing import Annotated

import pytest

from laconic.kit import Endpoint, NotFound, Text, Toolset
from laconic.kit.keeping.generations import Generation
from laconic.kit.peer import Caller, SilentPeer
from laconic.kit.testing import FakeClock, connect
from laconic.stores import MemoryStore, StoreDown


def _counted(ran: list[str]) -> Toolset:
    counted = Toolset("counted")

    @counted.read(cache=60)
    async def counted_read(name: Annotated[str, "What."] = "a") -> str:
        """Read."""
        ran.append(name)
        if name == "absent":
            raise NotFound("Thing", name)
        return f"{name} {len(ran)}"

    @counted.read
    async def counted_fresh() -> str:
        """Read without a cache."""
        ran.append("fresh")
        return str(len(ran))

    @counted.read(cache=60)
    async def counted_other() -> str:
        """Read something else."""
        ran.append("other")
        return str(len(ran))

    @counted.update
    async def counted_write() -> str:
        """Write."""
        return "written"

    @counted.update(clears=["counted_other"])
    async def counted_touch() -> str:
        """Write only what counted_other shows."""
        return "touched"

    return counted


async def _text(endpoint: Endpoint, tool: str, caller: str = "local", **arguments: str) -> str:
    return (await endpoint.call_tool(tool, arguments, SilentPeer(Caller(caller)))).text


@pytest.mark.requirement("003-6.3")
async def test_the_second_read_is_answered_from_memory() -> None:
    ran: list[str] = []
    endpoint = Endpoint([_counted(ran)])
    assert [await _text(endpoint, "counted_read") for _ in range(3)] == ["a 1"] * 3
    assert await _text(endpoint, "counted_read", name="b") == "b 2"


async def test_a_tool_that_did_not_ask_is_never_cached() -> None:
    ran: list[str] = []
    endpoint = Endpoint([_counted(ran)])
    assert [await _text(endpoint, "counted_fresh") for _ in range(2)] == ["1", "2"]


async def test_one_caller_never_sees_anothers_answer() -> None:
    ran: list[str] = []
    endpoint = Endpoint([_counted(ran)])
    assert await _text(endpoint, "counted_read", "ann") == "a 1"
    assert await _text(endpoint, "counted_read", "bob") == "a 2"


async def test_a_failure_is_never_cached() -> None:
    ran: list[str] = []
    endpoint = Endpoint([_counted(ran)])
    await _text(endpoint, "counted_read", name="absent")
    await _text(endpoint, "counted_read", name="absent")
    assert ran == ["absent", "absent"]


async def test_a_write_ends_what_its_toolset_kept() -> None:
    ran: list[str] = []
    endpoint = Endpoint([_counted(ran)])
    await _text(endpoint, "counted_read")
    await _text(endpoint, "counted_write")
    assert await _text(endpoint, "counted_read") == "a 2"


async def test_a_write_that_names_reads_ends_only_those() -> None:
    ran: list[str] = []
    endpoint = Endpoint([_counted(ran)])
    await _text(endpoint, "counted_read")
    await _text(endpoint, "counted_other")
    await _text(endpoint, "counted_touch")
    assert await _text(endpoint, "counted_read") == "a 1"
    assert await _text(endpoint, "counted_other") == "3"


@pytest.mark.requirement("003-6.3")
async def test_time_ends_it() -> None:
    ran: list[str] = []
    clock = FakeClock()
    endpoint = Endpoint([_counted(ran)], state=MemoryStore(now=clock))
    await _text(endpoint, "counted_read")
    clock.forward(61)
    assert await _text(endpoint, "counted_read") == "a 2"


async def test_while_one_of_two_writes_runs_nothing_is_kept() -> None:
    ran: list[str] = []
    counted = _counted(ran)
    may_end: dict[str, asyncio.Event] = {name: asyncio.Event() for name in ("first", "second")}

    @counted.update
    async def counted_slow(name: str) -> str:
        """Write for a while."""
        await may_end[name].wait()
        return "written"

    endpoint = Endpoint([counted])
    first, second = (
        asyncio.create_task(_text(endpoint, "counted_slow", name=name)) for name in ("first", "second")
    )
    await asyncio.sleep(0.05)
    may_end["second"].set()  # it began later and ends earlier
    await second

    during = [await _text(endpoint, "counted_read") for _ in range(2)]
    may_end["first"].set()
    await first
    after = [await _text(endpoint, "counted_read") for _ in range(2)]

    assert during == ["a 1", "a 2"]  # not kept: the first write may still change it
    assert after == ["a 3", "a 3"]


class Failing(MemoryStore):
    """A store whose generations cannot be changed: it is away, or others are always faster."""

    is_away = False
    is_busy = False

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        return self._is_free() and await super().put_new(key, value, ttl)

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        return self._is_free() and await super().replace(key, old, new, ttl)

    def _is_free(self) -> bool:
        if self.is_away:
            raise StoreDown("It is away.")
        return not self.is_busy


async def test_a_write_says_so_if_others_never_let_it_clear_the_cache() -> None:
    state = Failing()
    endpoint = Endpoint([_counted([])], state=state)
    state.is_busy = True
    assert "Cached reads may show the state before this call" in await _text(endpoint, "counted_write")


async def test_after_a_write_that_could_not_clear_the_cache_reads_are_fresh_and_then_cached_again() -> None:
    state, ran = Failing(), list[str]()
    endpoint = Endpoint([_counted(ran)], state=state)
    await _text(endpoint, "counted_read")
    state.is_away = True
    await _text(endpoint, "counted_write")
    assert [await _text(endpoint, "counted_read") for _ in range(2)] == ["a 2", "a 3"]
    state.is_away = False
    assert [await _text(endpoint, "counted_read") for _ in range(2)] == ["a 4", "a 4"]


async def test_an_answer_during_which_a_write_ran_is_not_kept() -> None:
    slow, ran = Toolset("slow"), list[str]()

    @slow.read(cache=60)
    async def slow_read() -> str:
        """Read, while somebody writes."""
        ran.append("read")
        if len(ran) == 1:
            await _text(endpoint, "slow_write")
        return str(len(ran))

    @slow.update
    async def slow_write() -> str:
        """Write."""
        return "written"

    endpoint = Endpoint([slow])
    assert [await _text(endpoint, "slow_read") for _ in range(3)] == ["1", "2", "2"]


def test_a_write_that_never_ended_counts_as_over_after_an_hour() -> None:
    left = Generation().started("killed", now=0)

    assert left.is_written(now=3599)
    assert not left.is_written(now=3601)
    assert left.started("next", now=3601).ended("next", now=3602).writing == {}


def test_a_generation_of_another_version_is_a_token_of_its_own() -> None:
    assert Generation.read(b"\xff\x00old") != Generation.read(b"\xff\x00new")
    assert not Generation.read(b"\xff\x00old").is_written(now=0)


@pytest.mark.requirement("003-8.5")
async def test_cached_reads_never_push_out_the_record_of_a_key() -> None:
    made: list[str] = []
    toolset = Toolset("big")

    @toolset.read(cache=60)
    async def big_read(number: int) -> list[Text]:
        """Read much."""
        return [Text("x" * 20_000)]

    @toolset.create
    async def big_make() -> str:
        """Make something."""
        made.append("made")
        return "Made."

    endpoint = Endpoint(
        [toolset], state=MemoryStore(limit_bytes=100_000), kept=MemoryStore(limit_bytes=100_000)
    )
    async with connect(endpoint=endpoint) as client:
        await client.call("big_make", idempotency_key="k")
        for number in range(20):
            await client.call("big_read", number=number)
        again = await client.call("big_make", idempotency_key="k")
    await endpoint.close()

    assert "Already done" in again.text
    assert made == ["made"]


async def test_an_endpoint_without_stores_keeps_answers_apart_from_keys() -> None:
    endpoint = Endpoint([_counted([])])
    await _text(endpoint, "counted_read")

    assert not [key for key in await endpoint.state.keys() if key.startswith("cache:")]
