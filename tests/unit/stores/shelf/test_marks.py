"""The mark of a shelf: the same as long as every item is what it was."""

import asyncio
from datetime import timedelta
from typing import Any

from laconic.stores import Database, Shelf
from laconic.stores.database.watching import Mark
from tests.unit.stores.shelf.samples import ME, START, Clock, add

PATIENCE = 90.0  # seconds


async def mark_of(shelf: Shelf) -> Mark:
    """Ask as often as it takes."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if (found := await shelf.mark(learns=True)) is not None:
                return found
            await shelf.read(lambda desk: None)


async def test_changes_and_uses_change_the_mark_and_reads_do_not(shelf: Shelf) -> None:
    item = await add(shelf, "a")
    mark = await mark_of(shelf)
    await shelf.read(lambda desk: desk.get(item.id))
    assert await shelf.mark() == mark
    seen = {mark}
    for work in (lambda desk: desk.use(item.id), lambda desk: desk.archive(item.id, ME)):
        await shelf.run(work)
        assert await shelf.mark() is None  # when first asked
        seen.add(await mark_of(shelf))
    assert len(seen) == 3


async def test_only_who_learns_reads_for_a_mark(shelf: Shelf, monkeypatch: Any) -> None:
    await mark_of(shelf)
    await add(shelf, "a")
    read = 0
    original = shelf.read

    async def counted(work: Any) -> Any:
        nonlocal read
        read += 1
        return await original(work)

    monkeypatch.setattr(shelf, "read", counted)
    assert [await shelf.mark() for _ in range(3)] == [None] * 3 and read == 0
    found = [await shelf.mark(learns=True) for _ in range(3)]
    assert None not in found and len(set(found)) == 1 and read == 1


async def test_the_mark_ends_when_an_item_is_archived_by_the_clock(shelf: Shelf, clock: Clock) -> None:
    item, other = await add(shelf, "a"), await add(shelf, "b")
    await shelf.run(lambda desk: desk.archive(item.id, ME, START + timedelta(days=2)))
    await shelf.run(lambda desk: desk.archive(other.id, ME, START + timedelta(days=4)))
    marks = [await mark_of(shelf)]
    clock.turn(days=1)
    assert await shelf.mark() == marks[0]
    for _ in range(2):
        clock.turn(days=2)
        assert await shelf.mark() is None
        marks.append(await mark_of(shelf))
    assert len(set(marks)) == 3
    clock.turn(days=1000)
    assert await shelf.mark() == marks[-1]


async def test_an_item_of_any_kind_ends_the_mark_by_the_clock(
    shelf: Shelf, address: str, clock: Clock
) -> None:
    other = Database(address, [Shelf.schema])
    page = await add(Shelf(other, now=clock), "a", kind="another")
    await Shelf(other, now=clock).run(lambda desk: desk.archive(page.id, ME, START + timedelta(days=1)))
    await other.close()
    await mark_of(shelf)
    clock.turn(days=2)
    assert await shelf.mark() is None
