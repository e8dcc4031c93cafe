"""What a shelf tells the journal of calls: what was changed, once it is kept, without a word of a text."""

from datetime import timedelta
from typing import Any

import pytest

from laconic.effects import watched
from laconic.stores import By, Draft, Shelf
from laconic.stores.errors import Missing
from tests.unit.stores.shelf.samples import Clock, add

ADA = By("ada")
TAKEN = "INSERT INTO shelf_version SELECT * FROM shelf_version"  # as if somebody had just made the same


async def told(shelf: Shelf, work: Any) -> dict[str, Any] | None:
    with watched() as effects:
        await shelf.run(work)
    return effects.changes


async def test_an_edit_tells_its_version_and_the_names_of_its_fields(shelf: Shelf) -> None:
    item = await add(shelf, "bread", body="Flour.")
    edit = {"body": "Flour and water.", "tags": ["tried"], "name": "loaf"}
    assert await told(shelf, lambda desk: desk.edit(item.id, edit, ADA)) == {
        item.id: {"version": (1, 2), "body": None, "name": None, "tags": None}
    }
    assert await told(shelf, lambda desk: desk.edit(item.id, edit, ADA)) is None


async def test_each_kind_of_change_is_told(shelf: Shelf, clock: Clock) -> None:
    item, other = await add(shelf, "bread"), await add(shelf, "cake")
    steps: list[tuple[Any, dict[str, Any]]] = [
        (lambda desk: desk.label(item.id, "production", 1), {"labels.production": (None, 1)}),
        (lambda desk: desk.unlabel(item.id, "production"), {"labels.production": (1, None)}),
        (lambda desk: desk.archive(item.id, ADA), {"state": ("active", "archived")}),
        (lambda desk: desk.unarchive(item.id, ADA), {"state": ("archived", "active")}),
        (lambda desk: desk.archive(item.id, ADA, clock() + timedelta(days=1)), {"archived_at": None}),
        (lambda desk: desk.trash(item.id, ADA), {"state": ("active", "deleted")}),
        (lambda desk: desk.untrash(item.id, ADA), {"state": ("deleted", "active")}),
        (lambda desk: desk.purge(item.id), {"state": ("active", None)}),
    ]
    for work, fields in steps:
        assert await told(shelf, work) == {item.id: fields}
    await shelf.run(lambda desk: desk.trash(other.id, ADA))
    assert await told(shelf, lambda desk: desk.empty_trash(clock() + timedelta(days=1))) == {
        other.id: {"state": ("deleted", None)}
    }


async def test_a_link_is_told_of_both_ends(shelf: Shelf) -> None:
    one, two = await add(shelf, "bread"), await add(shelf, "cake")
    assert await told(shelf, lambda desk: desk.link(one.id, two.id, ADA)) == {
        id: {"version": (1, 2), "links": None} for id in (one.id, two.id)
    }


async def test_what_is_not_kept_is_not_told(shelf: Shelf) -> None:
    def work(desk: Any) -> None:
        desk.add(Draft("recipe", "bread"), ADA)
        desk.get("nothing")

    with watched() as effects, pytest.raises(Missing):
        await shelf.run(work)
    assert effects.changes is None


async def test_work_that_was_done_again_is_told_once(shelf: Shelf) -> None:
    tries: list[str] = []

    def work(desk: Any) -> None:
        tries.append(desk.add(Draft("recipe", f"bread {len(tries)}"), ADA).id)
        if len(tries) == 1:
            desk._connection.exec_driver_sql(TAKEN)

    with watched() as effects:
        await shelf.run(work)
    assert effects.changes is not None and [*effects.changes] == tries[1:]
