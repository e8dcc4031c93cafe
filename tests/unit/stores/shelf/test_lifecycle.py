"""Archive and trash: what is put away stays as it was, and comes back."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, text

from laconic.stores import BadValue, Database, Missing, Shelf, Taken
from tests.unit.stores.shelf.samples import ME, Clock, add, edit, found, get, versions


async def test_an_archived_item_is_found_by_id_but_not_by_name(shelf: Shelf) -> None:
    item = await add(shelf, "a", body="one")
    put_away = await shelf.run(lambda desk: desk.archive(item.id, ME))
    assert put_away.state == "archived"
    assert (put_away.version, put_away.updated_at) == (1, item.updated_at)
    assert await get(shelf, item.id) == put_away
    with pytest.raises(Missing):
        await shelf.read(lambda desk: desk.find("prompt", "a"))
    assert (await shelf.read(lambda desk: desk.find("prompt", "a", ("archived",)))).id == item.id
    assert (await edit(shelf, item, body="two")).body == "two"  # by id it can still be changed
    assert (await shelf.run(lambda desk: desk.unarchive(item.id, ME))).state == "active"


async def test_archiving_twice_is_once_and_only_the_archived_comes_back(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    with pytest.raises(BadValue, match="not archived"):
        await shelf.run(lambda desk: desk.unarchive(item.id, ME))
    first = await shelf.run(lambda desk: desk.archive(item.id, ME))
    assert await shelf.run(lambda desk: desk.archive(item.id, ME)) == first
    actions = [one.action for one in await versions(shelf, item.id, 9)]
    assert actions == ["archive", "create"]


async def test_an_item_is_archived_when_its_time_comes(shelf: Shelf, clock: Clock) -> None:
    item = await add(shelf, "a")
    tomorrow = clock.time + timedelta(days=1)
    assert (await shelf.run(lambda desk: desk.archive(item.id, ME, tomorrow))).state == "active"
    assert await found(shelf) == ["a"]
    clock.turn(days=2)
    assert (await get(shelf, item.id)).state == "archived"
    assert await found(shelf) == []
    assert await found(shelf, states=["archived"]) == ["a"]


async def test_what_is_in_the_trash_frees_its_name_and_cannot_be_changed(shelf: Shelf) -> None:
    item = await add(shelf, "a", body="one")
    gone = await shelf.run(lambda desk: desk.trash(item.id, ME))
    assert gone.state == "deleted"
    assert gone.updated_at == item.updated_at
    assert (await get(shelf, item.id)).body == "one"
    attempts: list[Any] = [
        lambda desk: desk.edit(item.id, {"body": "two"}, ME),
        lambda desk: desk.trash(item.id, ME),
        lambda desk: desk.archive(item.id, ME),
        lambda desk: desk.revert(item.id, 1, ME),
        lambda desk: desk.label(item.id, "production", 1),
    ]
    for attempt in attempts:
        with pytest.raises(Missing, match="The prompt a is in the trash"):
            await shelf.run(attempt)
    await add(shelf, "a")


async def test_what_comes_back_from_the_trash_is_active_unless_its_name_is_taken(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    with pytest.raises(BadValue, match="not in the trash"):
        await shelf.run(lambda desk: desk.untrash(item.id, ME))
    await shelf.run(lambda desk: desk.archive(item.id, ME))
    await shelf.run(lambda desk: desk.trash(item.id, ME))
    other = await add(shelf, "a")
    with pytest.raises(Taken) as taken:
        await shelf.run(lambda desk: desk.untrash(item.id, ME))
    assert taken.value.existing == {"id": other.id, "state": "active"}
    await shelf.run(lambda desk: desk.purge(other.id))
    back = await shelf.run(lambda desk: desk.untrash(item.id, ME))
    assert (back.state, back.archived_at, back.deleted_at) == ("active", None, None)
    actions = [one.action for one in await versions(shelf, item.id, 9)]
    assert actions == ["undelete", "delete", "archive", "create"]


async def test_an_item_deleted_for_good_leaves_nothing_behind(shelf: Shelf, address: str) -> None:
    item, other = await add(shelf, "a", body="needle", tags=["x"]), await add(shelf, "b")
    await shelf.run(lambda desk: desk.link(item.id, other.id, ME))
    await shelf.run(lambda desk: desk.label(item.id, "production", 1))
    await shelf.run(lambda desk: desk.purge(item.id))
    await shelf.run(lambda desk: desk.purge(other.id))
    with pytest.raises(Missing):
        await get(shelf, item.id)
    assert await found(shelf, "needle") == []

    def rows(connection: Connection) -> int:
        parts = ("uses", "tags", "versions", "labels", "links", "texts")
        names = ["items", "postings", "vocabulary", *(f"item_{part}" for part in parts)]
        if "://" not in address:
            names.append("vocabulary_grams_docsize")
        return sum(connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in names)

    database = Database(address)
    assert await database.read(rows) == 0
    await database.close()


async def test_the_trash_is_emptied_of_what_is_old(shelf: Shelf, clock: Clock) -> None:
    old, new, _ = [await add(shelf, name) for name in "abc"]
    await shelf.run(lambda desk: desk.trash(old.id, ME))
    clock.turn(days=30)
    noon = clock.time
    await shelf.run(lambda desk: desk.trash(new.id, ME))
    assert await shelf.run(lambda desk: desk.empty_trash(noon)) == 1
    assert await found(shelf, states=["deleted"]) == ["b"]
    assert await found(shelf) == ["c"]


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"])
async def test_a_time_that_no_clock_shows_in_utc_is_refused(shelf: Shelf, at: str) -> None:
    item = await add(shelf, "a")
    with pytest.raises(BadValue, match="from the year 1 to the year 9999"):
        await shelf.run(lambda desk: desk.archive(item.id, ME, datetime.fromisoformat(at)))
