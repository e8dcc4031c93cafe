"""Links: the same from both ends, and in the history of both."""

import pytest
from anyio import create_task_group

from laconic.stores import BadValue, ItemLink, Missing, Shelf, Taken
from tests.unit.stores.shelf.samples import ME, add, get, link, links, versions


async def test_a_link_is_seen_from_both_ends_and_is_a_version_of_both(shelf: Shelf) -> None:
    one, other = await add(shelf, "a", title="A"), await add(shelf, "b", kind="note")
    await shelf.run(lambda desk: desk.link(other.id, one.id, ME, "explains"))
    assert await links(shelf, one.id) == [ItemLink(other.id, "note", "b", None, "active", "explains")]
    assert await links(shelf, other.id) == [ItemLink(one.id, "prompt", "a", "A", "active", "explains")]
    for item in (one, other):
        after = await get(shelf, item.id)
        assert after.version == 2
        assert after.updated_at > item.updated_at
        newest = (await versions(shelf, item.id, 1))[0]
        assert newest.changed == ("links",)
        assert len(newest.links) == 1


async def test_a_link_exists_once_and_not_with_itself(shelf: Shelf) -> None:
    one, other = await add(shelf, "a"), await add(shelf, "b")
    await shelf.run(lambda desk: desk.link(one.id, other.id, ME))
    with pytest.raises(Taken, match="linked already"):
        await shelf.run(lambda desk: desk.link(other.id, one.id, ME))
    with pytest.raises(BadValue, match="cannot be linked to itself"):
        await shelf.run(lambda desk: desk.link(one.id, one.id, ME))
    with pytest.raises(Missing):
        await shelf.run(lambda desk: desk.link(one.id, "nobody", ME))


async def test_a_link_is_removed_from_either_end(shelf: Shelf) -> None:
    one, other = await add(shelf, "a"), await add(shelf, "b")
    await shelf.run(lambda desk: desk.link(one.id, other.id, ME))
    await shelf.run(lambda desk: desk.unlink(other.id, one.id, ME))
    assert await links(shelf, one.id) == []
    with pytest.raises(Missing, match="not linked"):
        await shelf.run(lambda desk: desk.unlink(one.id, other.id, ME))


async def test_all_links_are_replaced_at_once_and_the_same_are_no_change(shelf: Shelf) -> None:
    one, b, c, d = [await add(shelf, name) for name in "abcd"]
    await shelf.run(lambda desk: desk.set_links(one.id, {b.id: None, c.id: "why"}, ME))
    assert await shelf.run(lambda desk: desk.set_links(one.id, {c.id: "because", d.id: None}, ME))
    after = await links(shelf, one.id)
    assert {(one.name, one.description) for one in after} == {("c", "because"), ("d", None)}
    assert not await shelf.run(lambda desk: desk.set_links(one.id, {d.id: None, c.id: "because"}, ME))
    assert [(await get(shelf, id)).version for id in (one.id, b.id, c.id, d.id)] == [
        3,
        3,
        3,
        2,
    ]


async def test_an_item_has_at_most_fifty_links(shelf: Shelf) -> None:
    one = await add(shelf, "a")
    others = [(await add(shelf, f"b{number}")).id for number in range(51)]
    with pytest.raises(BadValue, match="at most 50 links"):
        await shelf.run(lambda desk: desk.set_links(one.id, dict.fromkeys(others), ME))
    assert await links(shelf, one.id) == []
    await shelf.run(lambda desk: desk.set_links(one.id, dict.fromkeys(others[:50]), ME))
    with pytest.raises(BadValue, match="at most 50 links"):
        await shelf.run(lambda desk: desk.link(others[50], one.id, ME))


async def test_a_link_to_what_is_in_the_trash_shows_its_state_and_ends_with_it(shelf: Shelf) -> None:
    one, other = await add(shelf, "a"), await add(shelf, "b")
    await shelf.run(lambda desk: desk.link(one.id, other.id, ME))
    await shelf.run(lambda desk: desk.trash(other.id, ME))
    assert [one.state for one in await links(shelf, one.id)] == ["deleted"]
    await shelf.run(lambda desk: desk.purge(other.id))
    assert await links(shelf, one.id) == []


async def test_an_earlier_version_brings_its_links_back_but_not_to_what_is_gone(shelf: Shelf) -> None:
    one, kept, gone = [await add(shelf, name) for name in "abc"]
    await shelf.run(lambda desk: desk.set_links(one.id, {kept.id: "why", gone.id: None}, ME))
    await shelf.run(lambda desk: desk.set_links(one.id, {}, ME))
    await shelf.run(lambda desk: desk.trash(gone.id, ME))
    done = await shelf.run(lambda desk: desk.revert(one.id, 2, ME))
    assert done.changed == ("links",)
    assert [(end.id, end.description) for end in await links(shelf, one.id)] == [(kept.id, "why")]


async def test_links_made_from_both_ends_at_once_are_all_kept(shelf: Shelf) -> None:
    items = [(await add(shelf, name)).id for name in "abcd"]
    async with create_task_group() as tasks:
        for number, one in enumerate(items):
            for other in items[number + 1 :]:
                first, second = (one, other) if number % 2 else (other, one)
                tasks.start_soon(link, shelf, first, second)
    for id in items:
        assert len(await links(shelf, id)) == 3
        assert (await get(shelf, id)).version == 4
