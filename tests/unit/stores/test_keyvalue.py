"""What every key-value store does."""

import pytest
from anyio import create_task_group

from laconic.stores import KeyValue, StoreError
from tests.unit.stores.keepers import Keeper


@pytest.fixture
def store(keeper: Keeper) -> KeyValue:
    return keeper.store


async def test_a_stored_value_can_be_read(store: KeyValue) -> None:
    await store.put("a", b"\x00\xff\r\n")
    assert await store.get("a") == b"\x00\xff\r\n"


async def test_an_empty_value_is_not_an_absent_one(store: KeyValue) -> None:
    await store.put("a", b"")
    assert await store.get("a") == b""
    assert await store.get("b") is None
    assert not await store.put_new("a", b"1")


async def test_a_second_put_replaces_the_first(store: KeyValue) -> None:
    await store.put("a", b"1")
    await store.put("a", b"2")
    assert await store.get("a") == b"2"
    assert await store.keys() == ["a"]


async def test_a_large_value_comes_back_whole(store: KeyValue) -> None:
    large = bytes(range(256)) * 8192
    await store.put("a", large)
    assert await store.get("a") == large


async def test_a_value_expires_after_its_time_to_live(keeper: Keeper) -> None:
    await keeper.store.put("a", b"1", ttl=10)
    await keeper.pass_time(9)
    assert await keeper.store.get("a") == b"1"
    await keeper.pass_time(1)
    assert await keeper.store.get("a") is None
    assert await keeper.store.keys() == []
    assert not await keeper.store.delete("a")
    assert not await keeper.store.touch("a", 10)


async def test_a_value_without_a_time_to_live_stays(keeper: Keeper) -> None:
    await keeper.store.put("a", b"1")
    await keeper.pass_time(1e6)
    assert await keeper.store.get("a") == b"1"


async def test_a_put_without_a_time_to_live_removes_the_old_one(keeper: Keeper) -> None:
    await keeper.store.put("a", b"1", ttl=10)
    await keeper.store.put("a", b"2")
    await keeper.pass_time(11)
    assert await keeper.store.get("a") == b"2"


async def test_a_second_put_new_is_refused(store: KeyValue) -> None:
    assert await store.put_new("a", b"1", 10)
    assert not await store.put_new("a", b"2", 10)
    assert await store.get("a") == b"1"


async def test_an_expired_key_can_be_put_new(keeper: Keeper) -> None:
    assert await keeper.store.put_new("a", b"1", ttl=10)
    await keeper.pass_time(10)
    assert await keeper.store.put_new("a", b"2", ttl=10)
    await keeper.pass_time(9)
    assert await keeper.store.get("a") == b"2"


async def test_replace_needs_the_current_value(store: KeyValue) -> None:
    assert not await store.replace("a", b"", b"1")
    await store.put("a", b"1")
    assert not await store.replace("a", b"0", b"2")
    assert await store.replace("a", b"1", b"2")
    assert await store.get("a") == b"2"


async def test_replace_sets_a_new_time_to_live(keeper: Keeper) -> None:
    await keeper.store.put("a", b"1", ttl=10)
    await keeper.pass_time(6)
    assert await keeper.store.replace("a", b"1", b"2", ttl=10)
    await keeper.pass_time(6)
    assert await keeper.store.replace("a", b"2", b"3")
    await keeper.pass_time(6)
    assert await keeper.store.get("a") == b"3"


async def test_an_expired_value_is_not_replaced(keeper: Keeper) -> None:
    await keeper.store.put("a", b"1", ttl=10)
    await keeper.pass_time(10)
    assert not await keeper.store.replace("a", b"1", b"2")


async def test_delete_returns_whether_there_was_a_value(store: KeyValue) -> None:
    await store.put("a", b"1")
    assert await store.delete("a")
    assert not await store.delete("a")
    assert await store.get("a") is None


async def test_keys_with_a_prefix_are_returned_in_order(store: KeyValue) -> None:
    for key in ("ab", "a*c", "b", "a", "a[x]", "aé", "a\U0010ffffz"):
        await store.put(key, b"")
    assert await store.keys("a") == ["a", "a*c", "a[x]", "ab", "aé", "a\U0010ffffz"]
    assert await store.keys("a*") == ["a*c"]
    assert await store.keys("a[") == ["a[x]"]
    assert len(await store.keys()) == 7


async def test_touch_sets_a_new_time_to_live(keeper: Keeper) -> None:
    await keeper.store.put("a", b"1", ttl=10)
    await keeper.pass_time(6)
    assert await keeper.store.touch("a", 10)
    await keeper.pass_time(6)
    assert await keeper.store.get("a") == b"1"
    assert await keeper.store.touch("a", None)
    await keeper.pass_time(60)
    assert await keeper.store.get("a") == b"1"


async def test_count_restarts_when_its_window_ends(keeper: Keeper) -> None:
    assert [(await keeper.store.count("a", 10)).number for _ in range(3)] == [1, 2, 3]
    await keeper.pass_time(9)
    assert (await keeper.store.count("a", 10)).number == 4
    await keeper.pass_time(1)
    assert (await keeper.store.count("a", 10)).number == 1


async def test_count_tells_how_much_of_its_window_is_left(keeper: Keeper) -> None:
    first = await keeper.store.count("a", 10)
    await keeper.pass_time(6)
    second = await keeper.store.count("a", 10)
    await keeper.store.put("b", b"7")
    endless = await keeper.store.count("b", 10)
    assert first == (1, 10)
    assert second.number == 2 and second.left is not None and 0 < second.left <= 4
    assert endless == (8, None)


async def test_count_of_something_else_is_an_error(store: KeyValue) -> None:
    await store.put("a", b"one")
    with pytest.raises(StoreError):
        await store.count("a", 10)
    assert await store.get("a") == b"one"


@pytest.mark.parametrize("ttl", [0, -1, float("inf"), float("nan")])
async def test_an_invalid_time_to_live_is_refused(store: KeyValue, ttl: float) -> None:
    with pytest.raises(ValueError, match="more than zero"):
        await store.put("a", b"1", ttl)
    with pytest.raises(ValueError, match="more than zero"):
        await store.count("a", ttl)
    assert await store.get("a") is None


async def test_of_many_tasks_at_once_one_puts_new_and_all_count(store: KeyValue) -> None:
    won: list[bool] = []
    sums: list[int] = []

    async def run() -> None:
        won.append(await store.put_new("key", b"1"))
        sums.append((await store.count("sum", 60)).number)

    async with create_task_group() as tasks:
        for _ in range(50):
            tasks.start_soon(run)
    assert won.count(True) == 1
    assert sorted(sums) == list(range(1, 51))


async def test_a_closed_store_may_be_closed_again(store: KeyValue) -> None:
    await store.put("a", b"1")
    await store.close()
    await store.close()
