"""Kept texts: for how long, for whom, and when they are out of date."""

import pytest

from laconic.kit import Conflict, NotFound
from laconic.kit.keeping.handles import Handles, Whole, way_to_read
from laconic.kit.testing import FakeClock
from laconic.stores import MemoryStore, StoreDown


class Refusing(MemoryStore):
    """A store that takes nothing while it is full."""

    is_full = False

    async def put(self, key: str, value: bytes, ttl: float | None = None) -> None:
        if self.is_full:
            raise StoreDown("No space left.")
        await super().put(key, value, ttl)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(clock: FakeClock) -> Refusing:
    return Refusing(now=clock)


@pytest.mark.parametrize(
    ("ways", "words"),
    [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")],
)
def test_the_ways_to_read_a_text_are_listed(ways: list[str], words: str) -> None:
    assert way_to_read("read_on", "h", *ways) == f"read_on with handle='h' and {words}"
    assert way_to_read("read_on", None, *ways) == f"read_on with one of these handles and {words}"


async def test_a_text_is_kept_for_half_an_hour_and_for_its_caller(store: Refusing, clock: FakeClock) -> None:
    handles = Handles(store, now=clock)
    handle = await handles.keep("ann", "Text.", tool="memo_get", subject=None, began=clock())

    assert len(handle) == 16
    assert await handles.open("ann", handle) == Whole("Text.", "memo_get", "text")
    with pytest.raises(NotFound):
        await handles.open("bob", handle)
    clock.forward(30 * 60 - 1)
    assert (await handles.open("ann", handle)).text == "Text."
    clock.forward(2)
    with pytest.raises(NotFound, match=handle) as gone:
        await handles.open("ann", handle)
    assert "after 30 minutes" in gone.value.advice


async def test_the_kind_of_a_text_is_found_unless_it_is_given(store: Refusing, clock: FakeClock) -> None:
    handles = Handles(store, now=clock)
    found = await handles.keep("ann", '{"a": 1}', tool="t", subject=None, began=0)
    given = await handles.keep("ann", '{"a": 1}', tool="t", subject=None, began=0, kind="text")

    assert (await handles.open("ann", found)).kind == "json"
    assert (await handles.open("ann", given)).kind == "text"


async def test_a_change_during_the_call_that_gave_a_text_is_known_as_long_as_the_text(
    store: Refusing, clock: FakeClock
) -> None:
    handles = Handles(store, seconds=100, now=clock)
    began = handles.now()
    await handles.touch("memos")  # at the same time counts, too
    clock.forward(50)
    handle = await handles.keep("ann", "Text.", tool="memo_get", subject="memos", began=began)
    other = await handles.keep("ann", "Text.", tool="memo_get", subject="jobs", began=began)
    clock.forward(95)

    with pytest.raises(Conflict, match="was changed since it was kept"):
        await handles.open("ann", handle)
    assert (await handles.open("ann", other)).text == "Text."


async def test_a_change_that_cannot_be_recorded_is_still_known(store: Refusing, clock: FakeClock) -> None:
    handles = Handles(store, seconds=100, now=clock)
    handle = await handles.keep("ann", "Text.", tool="memo_get", subject="memos", began=clock())
    other = await handles.keep("ann", "Text.", tool="memo_get", subject="jobs", began=clock())
    clock.forward(1)
    store.is_full = True

    for subject in ("memos", "people"):
        with pytest.raises(StoreDown):
            await handles.touch(subject)

    with pytest.raises(Conflict):
        await handles.open("ann", handle)
    assert (await handles.open("ann", other)).text == "Text."
