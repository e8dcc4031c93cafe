"""Our own stores have a limit in bytes; the least recently used values go first."""

from pathlib import Path

import pytest

from laconic.stores import KeyValue, MemoryStore, SqliteStore, ValueTooLarge
from tests.unit.stores.keepers import FakeClock

LIMIT = 10_000
VALUE = b"x" * 1_500  # six of them fit, a seventh does not


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> KeyValue:
    if request.param == "memory":
        return MemoryStore(LIMIT, clock)
    return SqliteStore(tmp_path / "state.db", LIMIT, clock)


async def fill(store: KeyValue, keys: str) -> None:
    for key in keys:
        await store.put(key, VALUE)


async def test_the_bound_holds_and_the_oldest_go(store: KeyValue) -> None:
    await fill(store, "abcdefghijklmnop")
    assert await store.keys() == list("klmnop")
    await store.close()


async def test_a_value_that_was_read_stays_longer(store: KeyValue) -> None:
    await fill(store, "abcdef")
    await store.get("a")
    await fill(store, "gh")
    assert await store.keys() == list("adefgh")
    await store.close()


async def test_expired_values_go_before_live_ones(store: KeyValue, clock: FakeClock) -> None:
    await fill(store, "abcde")
    await store.put("f", VALUE, ttl=10)
    await clock.turn(10)
    await fill(store, "g")
    assert await store.keys() == list("abcdeg")
    await store.close()


async def test_small_entries_are_bounded_too(store: KeyValue) -> None:
    for number in range(200):
        await store.put(f"{number:03}", b"")
    assert 50 < len(await store.keys()) < 100
    assert (await store.keys())[-1] == "199"
    await store.close()


async def test_a_value_larger_than_the_store_is_refused_and_evicts_nothing(store: KeyValue) -> None:
    await fill(store, "abc")
    with pytest.raises(ValueTooLarge, match="does not fit in a store of 10,000 bytes"):
        await store.put("d", b"x" * LIMIT)
    assert await store.keys() == list("abc")
    await store.close()


async def test_a_short_lived_key_written_often_costs_memory_once(clock: FakeClock) -> None:
    store = MemoryStore(LIMIT, clock)
    for _ in range(1000):
        await store.put("a", b"1", ttl=10)
    assert len(store._expiries) < 100
