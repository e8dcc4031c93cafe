"""Items are added, read and changed; every edit is a version, and none is lost."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest
from anyio import create_task_group

from laconic.stores import BadValue, Database, Draft, Item, ItemKind, ItemQuery, Missing, Shelf, Stale, Taken
from tests.unit.stores.keepers import RUNNERS, race
from tests.unit.stores.shelf.samples import ME, Clock, add, edit, found, get, versions

STEPS = 3


async def test_an_item_is_read_as_it_was_added(shelf: Shelf) -> None:
    body = "line one\r\n\ttwo  \n\n\U0001f600 ünï\n"
    item = await add(
        shelf, "a", title="A", description="b", body=body, extra={"arguments": [{"name": "x"}]}, tags=["one"]
    )
    assert item == await get(shelf, item.id)
    assert item == await shelf.read(lambda desk: desk.find("prompt", "a"))
    assert (item.name, item.title, item.description, item.body) == ("a", "A", "b", body)
    assert (item.extra, item.tags, item.version, item.state) == (
        {"arguments": [{"name": "x"}]},
        ("one",),
        1,
        "active",
    )
    assert item.length == len(body)
    assert item.preview == "line one two \U0001f600 ünï"
    assert item.created_at == item.updated_at == item.last_used_at
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", item.id)


async def test_ids_sort_by_time(shelf: Shelf) -> None:
    ids = [(await add(shelf, name)).id for name in "cab"]
    assert ids == sorted(ids)


async def test_items_added_in_one_transaction_keep_their_order(shelf: Shelf) -> None:
    def work(desk: Any) -> list[str]:
        return [desk.add(Draft("prompt", f"n{number}"), ME).id for number in range(20)]

    ids = await shelf.run(work)
    assert ids == sorted(ids)
    page = await shelf.read(lambda desk: desk.search(ItemQuery(["prompt"], ascending=True), 20))
    assert [item.id for item in page.items] == ids


async def test_only_the_given_fields_change_and_none_clears(shelf: Shelf) -> None:
    item = await add(shelf, "a", title="A", description="b", body="c", tags=["x"])
    after = await edit(shelf, item, title=None, body="d")
    assert (after.title, after.description, after.body, after.tags) == (None, "b", "d", ("x",))
    assert after.version == 2
    assert after.updated_at > item.updated_at
    assert after.created_at == after.last_used_at == item.created_at


async def test_the_same_values_are_no_change(shelf: Shelf) -> None:
    item = await add(shelf, "a", title="A", body="c", extra={"n": 1}, tags=["x", "y"])
    same: Mapping[str, Any] = dict(name="a", title="A", body="c", extra={"n": 1}, tags=["y", "x"])
    done = await shelf.run(lambda desk: desk.edit(item.id, same, ME))
    assert done.changed == ()
    assert done.item == item
    assert len(await versions(shelf, item.id, 9)) == 1


async def test_a_new_order_of_what_has_none_is_kept_but_no_change(address: str) -> None:
    database = Database(address, [Shelf.schema])
    shelf = Shelf(database, [ItemKind("prompt", unordered=("parts",))])
    item = await add(shelf, "a", extra={"parts": [{"x": 1}, {"y": 2}], "steps": [1, 2]})
    before = await shelf.read(lambda desk: desk.revision(["prompt"]))

    new = {"extra": {"parts": [{"y": 2}, {"x": 1}], "steps": [1, 2]}}
    done = await shelf.run(lambda desk: desk.edit(item.id, new, ME))
    moved = done.item
    assert (done.changed, done.is_reordered) == ((), True)
    assert (moved.version, moved.updated_at) == (1, item.updated_at)
    assert moved.extra["parts"] == [{"y": 2}, {"x": 1}]
    assert await shelf.read(lambda desk: desk.revision(["prompt"])) > before  # kept lists show it

    assert (await edit(shelf, item, extra={"parts": [{"y": 2}, {"x": 1}], "steps": [2, 1]})).version == 2
    assert (await edit(shelf, item, extra={"parts": [{"y": 2}], "steps": [2, 1]})).version == 3
    await database.close()


async def test_a_version_that_was_read_before_another_edit_is_refused(shelf: Shelf) -> None:
    item = await add(shelf, "a", body="c")
    await edit(shelf, item, body="d")
    with pytest.raises(Stale, match="it has version 2, not 1") as stale:
        await shelf.run(lambda desk: desk.edit(item.id, {"body": "e"}, ME, version=1))
    assert stale.value.version == 2
    done = await shelf.run(lambda desk: desk.edit(item.id, {"body": "e"}, ME, version=2))
    assert (done.item.body, done.item.version) == ("e", 3)


async def test_what_an_edit_raises_leaves_the_item_as_it_was(shelf: Shelf) -> None:
    item = await add(shelf, "a", body="c")

    def refuse(now: Item) -> Mapping[str, Any]:
        assert now.body == "c"
        raise KeyError("no match")

    with pytest.raises(KeyError, match="no match"):
        await shelf.run(lambda desk: desk.edit(item.id, refuse, ME))
    assert await get(shelf, item.id) == item


async def test_a_name_is_unique_among_its_kind_and_the_conflict_says_who_has_it(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    await add(shelf, "a", kind="note")
    other = await add(shelf, "b")
    await add(shelf, None)
    await add(shelf, None)
    for attempt in (
        lambda desk: desk.add(Draft("prompt", "a"), ME),
        lambda desk: desk.edit(other.id, {"name": "a"}, ME),
    ):
        with pytest.raises(Taken, match=r"^A prompt has the name a\.$") as taken:
            await shelf.run(attempt)
        assert taken.value.existing == {"id": item.id, "state": "active"}
    await shelf.run(lambda desk: desk.archive(item.id, ME))
    with pytest.raises(Taken, match=r"^An archived prompt has the name a\.$") as taken:
        await add(shelf, "a")
    assert taken.value.existing == {"id": item.id, "state": "archived"}


async def test_an_item_can_be_renamed_to_its_own_name_and_found_by_the_new_one(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    assert (await edit(shelf, item, name="a")).version == 1
    await edit(shelf, item, name="b")
    assert (await shelf.read(lambda desk: desk.find("prompt", "b"))).id == item.id
    with pytest.raises(Missing, match=r"^There is no prompt a\.$"):
        await shelf.read(lambda desk: desk.find("prompt", "a"))


async def test_of_tasks_that_add_the_same_name_one_wins_and_the_others_hear_of_it(shelf: Shelf) -> None:
    outcomes: list[str] = []

    async def attempt() -> None:
        try:
            outcomes.append((await add(shelf, "a", tags=["same"])).id)
        except Taken as taken:
            assert taken.existing is not None
            outcomes.append(f"taken by {taken.existing['id']}")

    async with create_task_group() as tasks:
        for _ in range(6):
            tasks.start_soon(attempt)
    winner = next(one for one in outcomes if not one.startswith("taken"))
    assert sorted(outcomes) == sorted([winner, *[f"taken by {winner}"] * 5])


@pytest.mark.slow
async def test_edits_of_one_item_from_eight_processes_are_all_kept(address: str, shelf: Shelf) -> None:
    item = await add(shelf, "a", body="")
    race(append_often, address, item.id)
    after = await get(shelf, item.id)
    assert after.version == 1 + RUNNERS * STEPS
    expected = sorted(f"{number}.{step}" for number in range(RUNNERS) for step in range(STEPS))
    assert sorted((after.body or "").split()) == expected
    assert set(after.tags) == {f"by-{number}" for number in range(RUNNERS)}


def append_often(address: str, id: str, number: int) -> None:
    async def run() -> None:
        database = Database(address, [Shelf.schema], patience=30)
        shelf = Shelf(database)
        for step in range(STEPS):

            def change(now: Item, step: int = step) -> Mapping[str, Any]:
                return {"body": f"{now.body} {number}.{step}", "tags": [*now.tags, f"by-{number}"]}

            await shelf.run(lambda desk: desk.edit(id, change, ME))
        await database.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "nul \0"},
        {"body": "half \ud800"},
        {"extra": {"a": ["nul \0"]}},
        {"extra": {"a": "half \udfff"}},
        {"extra": {"a": float("nan")}},
        {"extra": {"a": Shelf}},
        {"colour": "red"},
    ],
    ids=str,
)
async def test_what_cannot_be_kept_is_refused(shelf: Shelf, fields: Mapping[str, Any]) -> None:
    item = await add(shelf, "a", extra={"fine": "\\u0000 as text"})
    with pytest.raises(BadValue):
        await shelf.run(lambda desk: desk.edit(item.id, fields, ME))
    assert await get(shelf, item.id) == item


async def test_a_name_too_long_for_an_index_is_refused(shelf: Shelf) -> None:
    await add(shelf, "x" * 2048)
    with pytest.raises(BadValue, match="at most 2,048 bytes"):
        await add(shelf, "ü" * 2047)


async def test_a_very_long_body_is_kept_and_found(shelf: Shelf) -> None:
    body = " ".join(f"word{number}" for number in range(60_000))
    item = await add(shelf, "a", body=body)
    assert (await get(shelf, item.id)).body == body
    assert await found(shelf, "word59999") == ["a"] and await found(shelf, "word60000") == []
    assert await found(shelf, '"word4999 word5000"') == ["a"] and await found(shelf, "rd12345 ") == ["a"]


async def test_work_at_a_desk_is_one_transaction(shelf: Shelf) -> None:
    def work(desk: Any) -> None:
        desk.add(Draft("prompt", "a"), ME)
        desk.add(Draft("prompt", "a"), ME)

    with pytest.raises(Taken):
        await shelf.run(work)
    with pytest.raises(Missing):
        await shelf.read(lambda desk: desk.find("prompt", "a"))


async def test_a_use_moves_only_the_time_of_use(shelf: Shelf, clock: Clock) -> None:
    item = await add(shelf, "a")
    assert await shelf.run(lambda desk: desk.use(item.id))
    assert not await shelf.run(lambda desk: desk.use(item.id))  # at most once a minute
    clock.turn(minutes=1)
    assert await shelf.run(lambda desk: desk.use(item.id))
    after = await get(shelf, item.id)
    assert (after.updated_at, after.version, after.uses) == (item.updated_at, 1, 2)
    assert after.last_used_at > item.last_used_at


async def test_the_tables_are_what_the_migrations_make(address: str, shelf: Shelf) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from sqlalchemy import Connection

    from laconic.stores.shelf.tables import TABLES

    def differences(connection: Connection) -> list[Any]:
        found = compare_metadata(MigrationContext.configure(connection), TABLES)
        apart = ("_grams", "item_tokens", "vocabulary", "shelf_version")  # made by SQLite, or for it alone
        return [one for one in found if not any(name in str(one) for name in apart)]

    database = Database(address, [Shelf.schema])
    assert await database.read(differences) == []
    await database.close()
