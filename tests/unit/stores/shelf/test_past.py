"""The past: versions with who, how and what; labels on them; and the way back."""

import json
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import update

from laconic.stores import BadValue, By, ItemVersion, Missing, Shelf, Taken
from laconic.stores.shelf.tables import VERSIONS
from tests.unit.stores.shelf.samples import ME, Clock, add, edit, get, link, links, version, versions


async def test_each_edit_is_a_version_that_says_who_how_and_what(shelf: Shelf) -> None:
    item = await add(shelf, "a", title="A", body="one")
    bob = By("bob", "web", {"token": "lac_1234"})
    await shelf.run(lambda desk: desk.edit(item.id, {"body": "two", "tags": ["x"]}, bob))
    newest, first = await versions(shelf, item.id, 9)
    assert (newest.number, newest.action, newest.by, newest.changed) == (2, "update", bob, ("body", "tags"))
    assert (first.number, first.action, first.by, first.changed) == (
        1,
        "create",
        ME,
        ("body", "name", "title"),
    )
    assert newest.at > first.at
    assert (newest.item, newest.kind, newest.body) == (item.id, "prompt", None)


async def test_a_version_is_read_as_it_was_also_if_only_its_title_changed(shelf: Shelf) -> None:
    item = await add(shelf, "a", title="A", body="one\n", extra={"n": 1}, tags=["x"])
    await edit(shelf, item, title="B")
    await edit(shelf, item, body="two", extra={}, tags=[])
    await edit(shelf, item, title=None)
    found = [await version(shelf, item.id, n) for n in (1, 2, 3, 4)]
    assert [(one.title, one.body) for one in found] == [
        ("A", "one\n"),
        ("B", "one\n"),
        ("B", "two"),
        (None, "two"),
    ]
    assert [(one.extra, one.tags) for one in found[1:3]] == [({"n": 1}, ("x",)), ({}, ())]


async def test_an_unknown_version_is_refused_with_the_newest(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    with pytest.raises(Missing, match=r"^The prompt a has no version 7; the newest is 1\.$"):
        await version(shelf, item.id, 7)


async def test_the_history_goes_on_where_a_page_ended(shelf: Shelf) -> None:
    item = await add(shelf, "a", body="0")
    for number in range(1, 5):
        await edit(shelf, item, body=str(number))
    numbers: list[int | None] = []
    before = None
    while page := await versions(shelf, item.id, 2, before):
        numbers += [one.number for one in page]
        before = page[-1].entry
    assert numbers == [5, 4, 3, 2, 1]


async def test_the_history_of_all_items_is_filtered(shelf: Shelf, clock: Clock) -> None:
    one, other = await add(shelf, "a"), await add(shelf, "b", kind="note")
    clock.turn(hours=1)
    noon = clock.time
    await shelf.run(lambda desk: desk.archive(one.id, By("bob", "web")))
    everything = await shelf.read(lambda desk: desk.history(["prompt", "note"], 9))
    assert [(entry.item, entry.action) for entry in everything] == [
        (one.id, "archive"),
        (other.id, "create"),
        (one.id, "create"),
    ]
    cases: list[tuple[dict[str, Any], int]] = [
        ({"actions": ["archive"]}, 1),
        ({"sources": ["test"]}, 2),
        ({"since": noon}, 1),
        ({"until": noon - timedelta(minutes=1)}, 2),
    ]
    for filters, count in cases:
        found = await shelf.read(partial(_history, filters))
        assert len(found) == count
    assert len(await shelf.read(lambda desk: desk.history(["note"], 9))) == 1


def _history(filters: dict[str, Any], desk: Any) -> list[ItemVersion]:
    entries: list[ItemVersion] = desk.history(["prompt", "note"], 9, **filters)
    return entries


async def test_an_earlier_version_comes_back_as_a_new_one(shelf: Shelf) -> None:
    item = await add(shelf, "a", title="A", body="one", extra={"n": 1}, tags=["old", "gone", "x"])
    await edit(shelf, item, name="b", title="B", body="two", extra={}, tags=["y"])
    await shelf.run(lambda desk: desk.rename_tag("old", "new"))
    await shelf.run(lambda desk: desk.drop_tag("gone"))
    done = await shelf.run(lambda desk: desk.revert(item.id, 1, ME))
    after = done.item
    assert (after.name, after.title, after.body, after.extra) == ("a", "A", "one", {"n": 1})
    assert after.tags == ("new", "x")  # one was renamed since, one is gone
    assert done.changed == ("body", "extra", "name", "tags", "title")
    assert after.version == 3
    newest = (await versions(shelf, item.id, 1))[0]
    assert (newest.number, newest.action) == (3, "restore")
    assert (await version(shelf, item.id, 3)).body == "one"


async def test_what_an_old_version_does_not_know_stays_as_it_is(shelf: Shelf) -> None:
    item, other = await add(shelf, "a", title="A", body="one"), await add(shelf, "b")
    await edit(shelf, item, title="B", description="New.", body="two", extra={"n": 2}, tags=["x"])
    await link(shelf, item.id, other.id)
    short = update(VERSIONS).where(VERSIONS.c.number == 1).values(snapshot=json.dumps({"title": "A"}))
    await shelf.run(lambda desk: desk._connection.execute(short))
    done = await shelf.run(lambda desk: desk.revert(item.id, 1, ME))
    after = done.item
    assert (after.title, after.body, done.changed) == ("A", "one", ("body", "title"))
    assert (after.name, after.description, after.extra, after.tags) == ("a", "New.", {"n": 2}, ("x",))
    assert [one.id for one in await links(shelf, item.id)] == [other.id]


async def test_the_present_version_cannot_be_brought_back_nor_a_name_that_is_taken(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    with pytest.raises(BadValue, match="Version 1 is the present one"):
        await shelf.run(lambda desk: desk.revert(item.id, 1, ME))
    await edit(shelf, item, name="b")
    other = await add(shelf, "a")
    with pytest.raises(Taken) as taken:
        await shelf.run(lambda desk: desk.revert(item.id, 1, ME))
    assert taken.value.existing == {"id": other.id, "state": "active"}


async def test_a_label_points_to_one_version_and_can_be_moved(shelf: Shelf) -> None:
    item = await add(shelf, "a", body="one")
    await edit(shelf, item, body="two")
    await shelf.run(lambda desk: desk.label(item.id, "Production", 1))
    await shelf.run(lambda desk: desk.label(item.id, "staging", 2))
    assert await shelf.read(lambda desk: desk.get(item.id).labels) == {"production": 1, "staging": 2}
    assert (await version(shelf, item.id, 1)).labels == ("production",)
    await shelf.run(lambda desk: desk.label(item.id, "production", 2))
    newest, first = await versions(shelf, item.id, 9)
    assert (newest.labels, first.labels) == (("production", "staging"), ())
    await shelf.run(lambda desk: desk.unlabel(item.id, "staging"))
    assert await shelf.read(lambda desk: desk.get(item.id).labels) == {"production": 2}
    assert (await get(shelf, item.id)).version == 2


async def test_a_label_needs_a_version_and_a_name_that_is_no_number(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    with pytest.raises(Missing):
        await shelf.run(lambda desk: desk.label(item.id, "production", 2))
    with pytest.raises(BadValue, match="cannot be a number"):
        await shelf.run(lambda desk: desk.label(item.id, "3", 1))
    with pytest.raises(BadValue, match="such as code-review"):
        await shelf.run(lambda desk: desk.label(item.id, "a b", 1))
    with pytest.raises(Missing, match="No version has the label production"):
        await shelf.run(lambda desk: desk.unlabel(item.id, "production"))
