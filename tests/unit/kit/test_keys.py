"""The record of a call under its key: who runs it, and what those who wait for it find out."""

import asyncio
import sys
from typing import Any

import pytest

from laconic.kit import Endpoint, Toolset
from laconic.kit.keeping import keys, signs
from laconic.kit.keeping.frozen import packed, unpacked
from laconic.kit.keeping.processes import this_process
from laconic.kit.peer import SilentPeer
from laconic.kit.pipeline import Answer
from laconic.stores import MemoryStore

KEY = "A call with the key 'k' was interrupted; it is not known whether it took effect."


class Counted(MemoryStore):
    """A store that lists what was asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        self.asked.append(f"put {key.partition(':')[0]}")
        await super().put(key, value, ttl)

    async def put_new(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        self.asked.append("put_new")
        return await super().put_new(key, value, ttl)

    async def replace(self, key: str, old: bytes, new: bytes, ttl: float | None = None) -> bool:
        self.asked.append("replace")
        return await super().replace(key, old, new, ttl)


def _endpoint(store: MemoryStore, seconds: float = 0.0, deadline: float = 60.0) -> Endpoint:
    slow = Toolset("slow")

    @slow.create(deadline=deadline)
    async def slow_make() -> str:
        """Make something."""
        await asyncio.sleep(seconds)
        return "Made."

    return Endpoint([slow], state=store)


async def _make(endpoint: Endpoint) -> Answer:
    return await endpoint.call_tool("slow_make", {"idempotency_key": "k"}, SilentPeer())


async def _left(store: MemoryStore, **changes: Any) -> None:
    """Leave the record of a running call in the store, as another process does."""
    await _make(_endpoint(store))
    (name,) = await store.keys("replay:")
    done = unpacked(await store.get(name) or b"")
    record = {
        "state": "running",
        "fence": "another",
        "at": done["at"],
        "until": done["at"] + 60,
        "by": "elsewhere 1 1",
        "arguments": done["arguments"],
    } | changes
    await store.put(name, packed({key: value for key, value in record.items() if value is not None}))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of life come often, and are missed soon."""
    monkeypatch.setattr(signs, "_BEAT", 0.05)
    monkeypatch.setattr(keys, "_WATCHED", 0.1)
    for module in (keys, signs):
        monkeypatch.setattr(module, "SILENT", 0.3)


async def test_a_call_that_ends_quickly_costs_two_writes() -> None:
    store = Counted()
    await _make(_endpoint(store))
    assert store.asked == ["put_new", "replace"]


@pytest.mark.usefixtures("quick")
async def test_a_call_that_takes_long_gives_signs_of_life_until_it_ends() -> None:
    store = Counted()
    await _make(_endpoint(store, seconds=0.2))
    ended = list(store.asked)
    await asyncio.sleep(0.2)
    assert ended.count("put alive") >= 2
    assert store.asked == ended


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who a process is")
async def test_a_call_of_a_killed_process_of_this_machine_is_reported_at_once() -> None:
    store = MemoryStore()
    machine, number, started = this_process().split(" ")
    await _left(store, by=f"{machine} {number} {int(started) - 1}")  # its number is taken again
    assert KEY in (await _make(_endpoint(store))).text


async def test_a_call_of_this_process_that_nobody_runs_is_reported_at_once() -> None:
    store = MemoryStore()
    await _left(store, by=this_process())
    assert KEY in (await _make(_endpoint(store))).text


@pytest.mark.usefixtures("quick")
async def test_a_call_elsewhere_that_gives_no_sign_of_life_is_reported() -> None:
    store = MemoryStore()
    await _left(store)
    assert KEY in (await _make(_endpoint(store))).text


@pytest.mark.usefixtures("quick")
async def test_a_call_elsewhere_that_gives_signs_of_life_is_waited_for() -> None:
    store = MemoryStore()
    await _left(store, at=0.0, until=0.0)  # it asks somebody, and its deadline waits
    await store.put("alive:another", b"")
    answer = await _make(_endpoint(store, deadline=0.4))
    assert "is still in progress" in answer.text


async def test_a_running_record_of_0_1_0_is_waited_for_until_its_time_is_over() -> None:
    store = MemoryStore()
    await _left(store, by=None, at=None)
    assert "is still in progress" in (await _make(_endpoint(store, deadline=0.2))).text
    store = MemoryStore()
    await _left(store, by=None, at=None, until=0.0)
    assert KEY in (await _make(_endpoint(store))).text
