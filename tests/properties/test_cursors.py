"""Cursors: they come back unchanged, and are refused if anything about them is wrong."""

import asyncio
import json
from datetime import UTC
from hashlib import blake2b
from itertools import count
from string import ascii_letters
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.kit import BadCursor
from laconic.kit.answers.pages import Within
from laconic.kit.answers.positions import as_json, from_json, pack, unpack
from laconic.kit.cursors import Cursors, Onward, _asked, _b64, _digest, _mac, _name, canonical
from laconic.kit.testing import FakeClock
from laconic.stores import MemoryStore

KEY = b"k" * 32
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=40),
    st.from_regex(r"[A-Z]{1,5}-[0-9]{1,9}", fullmatch=True),
    st.datetimes().map(lambda at: at.isoformat(timespec="milliseconds") + "Z"),
)
typed = st.one_of(
    values,
    st.datetimes(timezones=st.one_of(st.none(), st.just(UTC))),
    st.dates(),
    st.decimals(allow_nan=False),
    st.uuids(),
)
positions = st.lists(values, min_size=1, max_size=4).map(tuple)
queries = st.dictionaries(
    st.text(max_size=8), st.one_of(st.text(max_size=9), st.integers(), st.booleans()), max_size=4
)


@given(positions)
def test_a_packed_position_comes_back_as_it_was(position: Any) -> None:
    packed = pack(position)
    if packed is not None:
        back = unpack(packed)
        assert back == position
        assert [type(value) for value in back] == [type(value) for value in position]


@given(st.lists(typed, max_size=4).map(tuple))
def test_a_position_keeps_its_types_in_the_state_store(position: Any) -> None:
    back: Any = from_json(json.loads(json.dumps(as_json(position))))
    assert back == position
    assert [type(value) for value in back] == [type(value) for value in position]


@pytest.mark.parametrize("shown", [(), ("a", "b"), 7])
@pytest.mark.parametrize("page", [None, (1, "x")])
async def test_a_place_within_a_page_comes_back_as_it_was(page: Any, shown: Any) -> None:
    cursors, place = Cursors([KEY], MemoryStore()), Within(page, 3, 200, shown)
    cursor = await cursors.seal("ann\ntool", {}, place)
    assert (await cursors.open("ann\ntool", cursor, {})).place == place
    assert len(cursor) <= 30


@given(positions, queries)
@pytest.mark.requirement("003-3.3")
def test_a_cursor_alone_brings_back_position_and_query(position: Any, query: dict[str, Any]) -> None:
    async def round_trip() -> None:
        cursors = Cursors([KEY], MemoryStore())
        cursor = await cursors.seal("ann\ntool", query, position)
        assert len(cursor) <= 30
        assert await cursors.open("ann\ntool", cursor, {}) == Onward(position, query, {})
        assert await cursors.open("ann\ntool", cursor, query) == Onward(position, query, {})

    asyncio.run(round_trip())


@given(positions, queries, st.integers(0, 10_000), st.characters(codec="ascii", categories=["L", "N"]))
@pytest.mark.requirement("003-3.7")
def test_a_changed_cursor_is_refused(position: Any, query: dict[str, Any], place: int, letter: str) -> None:
    async def forge() -> None:
        cursors = Cursors([KEY], MemoryStore())
        cursor = await cursors.seal("ann\ntool", query, position)
        place_in = place % len(cursor)
        forged = cursor[:place_in] + letter + cursor[place_in + 1 :]
        if forged != cursor:
            with pytest.raises(BadCursor):
                await cursors.open("ann\ntool", forged, {})

    asyncio.run(forge())


@pytest.mark.parametrize("position", [("a",), ("ab",), ("abc",)])
async def test_a_cursor_has_one_spelling(position: Any) -> None:
    cursors = Cursors([KEY], MemoryStore())
    cursor = await cursors.seal("ann\ntool", {}, position)
    for spelling in (cursor + "=", *(cursor[:-1] + last for last in ascii_letters if last != cursor[-1])):
        with pytest.raises(BadCursor):
            await cursors.open("ann\ntool", spelling, {})


async def test_a_cursor_is_short_however_long_its_position_is() -> None:
    cursors = Cursors([KEY], MemoryStore())
    for length in range(40):
        cursor = await cursors.seal("ann\ntool", {}, ("é" * length,))
        assert len(cursor) <= 30


@given(st.text(max_size=60))
def test_rubbish_is_refused_and_never_a_bug(rubbish: str) -> None:
    with pytest.raises(BadCursor):
        asyncio.run(Cursors([KEY], MemoryStore()).open("ann\ntool", rubbish, {}))


async def test_another_tools_or_callers_cursor_is_refused() -> None:
    cursors = Cursors([KEY], MemoryStore())
    cursor = await cursors.seal("ann\njobs_list", {}, (1,))
    for scope in ("bob\njobs_list", "ann\njobs_search"):
        with pytest.raises(BadCursor, match="made by another tool or caller"):
            await cursors.open(scope, cursor, {})


@pytest.mark.requirement("003-3.4")
async def test_other_filters_are_refused_by_name() -> None:
    cursors = Cursors([KEY], MemoryStore())
    cursor = await cursors.seal("ann\ntool", {"status": "open"}, (1,))
    with pytest.raises(BadCursor, match="made for other filters: status differs"):
        await cursors.open("ann\ntool", cursor, {"status": "done"})


async def test_when_the_query_is_gone_the_same_filters_still_work() -> None:
    clock = FakeClock()
    cursors = Cursors([KEY], MemoryStore(now=clock))
    cursor = await cursors.seal("ann\ntool", {"status": "open"}, (1,))
    clock.forward(25 * 3600)
    assert await cursors.open("ann\ntool", cursor, {"status": "open"}) == Onward((1,), {"status": "open"}, {})
    with pytest.raises(BadCursor, match="no longer kept"):
        await cursors.open("ann\ntool", cursor, {})


async def test_a_long_position_expires_with_the_store_and_says_so() -> None:
    clock = FakeClock()
    cursors = Cursors([KEY], MemoryStore(now=clock))
    cursor = await cursors.seal("ann\ntool", {}, ("a page token of another service that is very long",))
    clock.forward(25 * 3600)
    with pytest.raises(BadCursor, match="expired"):
        await cursors.open("ann\ntool", cursor, {})


async def test_a_new_secret_leaves_live_cursors_working() -> None:
    store = MemoryStore()
    cursor = await Cursors([KEY], store).seal("ann\ntool", {"a": 1}, (1, "x"))
    rotated = Cursors([b"n" * 32, KEY], store)
    assert await rotated.open("ann\ntool", cursor, {}) == Onward((1, "x"), {"a": 1}, {})
    with pytest.raises(BadCursor):
        await Cursors([b"n" * 32], store).open("ann\ntool", cursor, {})


async def test_a_cursor_of_one_replica_works_on_another_with_the_same_store_and_secret() -> None:
    store = MemoryStore()
    cursor = await Cursors([KEY], store).seal("ann\ntool", {"a": 1}, (1,))
    assert await Cursors([KEY], store).open("ann\ntool", cursor, {}) == Onward((1,), {"a": 1}, {})


def _collision() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two queries that are kept under one short digest."""
    seen: dict[bytes, dict[str, Any]] = {}
    for number in count():
        query = {"q": number}
        other = seen.setdefault(_digest("ann\ntool", _asked(query), 0), query)
        if other != query:
            return other, query
    raise AssertionError


async def test_a_cursor_never_brings_back_the_query_of_another_with_the_same_digest() -> None:
    cursors = Cursors([KEY], MemoryStore())
    one, other = _collision()
    first = await cursors.seal("ann\ntool", one, (1,))
    second = await cursors.seal("ann\ntool", other, (1,))
    assert (await cursors.open("ann\ntool", first, {})).query == one
    assert (await cursors.open("ann\ntool", second, {})).query == other
    assert len(first) == len(second)


async def test_a_cursor_whose_place_another_query_took_over_is_refused() -> None:
    clock = FakeClock()
    cursors = Cursors([KEY], MemoryStore(now=clock))
    one, other = _collision()
    first = await cursors.seal("ann\ntool", one, (1,))
    clock.forward(25 * 3600)
    await cursors.seal("ann\ntool", other, (1,))
    with pytest.raises(BadCursor, match="no longer kept"):
        await cursors.open("ann\ntool", first, {})
    assert (await cursors.open("ann\ntool", first, one)).query == one


async def test_a_cursor_that_is_in_use_is_kept() -> None:
    clock = FakeClock()
    cursors = Cursors([KEY], MemoryStore(now=clock))
    for _ in range(3):
        cursor = await cursors.seal("ann\ntool", {"a": 1}, (1,))
        clock.forward(20 * 3600)
    assert (await cursors.open("ann\ntool", cursor, {})).query == {"a": 1}


async def test_a_cursor_remembers_the_view_and_accepts_another() -> None:
    cursors = Cursors([KEY], MemoryStore())
    cursor = await cursors.seal("ann\ntool", {"a": 1}, (1,), {"limit": 10})
    assert await cursors.open("ann\ntool", cursor, {}, {"limit": 5}) == Onward((1,), {"a": 1}, {"limit": 10})


async def test_a_cursor_of_version_0_1_still_leads_on() -> None:
    scope, query, store = "ann\ntool", {"status": "open"}, MemoryStore()
    digest = blake2b(scope.encode() + b"\0" + canonical(query), digest_size=3).digest()
    body = bytes([0]) + digest + (pack((1,)) or b"")
    cursor = _b64(body + _mac(KEY, scope, body)[:4])
    cursors = Cursors([KEY], store)
    with pytest.raises(BadCursor, match="no longer kept"):
        await cursors.open(scope, cursor, {})
    assert await cursors.open(scope, cursor, query) == Onward((1,), query, {})
    await store.put(_name("query", scope, digest), canonical(query), 60)
    assert await cursors.open(scope, cursor, {}) == Onward((1,), query, {})
