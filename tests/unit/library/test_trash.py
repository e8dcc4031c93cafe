"""The trash of each kind of item is kept for good, or for as many days as a person wants."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Toolset
from laconic.library.chores import Chores
from laconic.library.safekeeping import Safekeeping
from laconic.library.trash import empty_trash
from laconic.servers.notes.tools import notes
from laconic.servers.prompts.tools import prompts
from laconic.stores import Database, Draft, Full, ItemQuery, Shelf
from tests.library import served
from tests.unit.stores.shelf.samples import ME, add

KINDS = ("bookmark", "note", "prompt")
NOW = datetime.now(UTC)


@asynccontextmanager
async def opened(address: str, ago: timedelta = timedelta()) -> AsyncIterator[Shelf]:
    """A library as if it were some time ago."""
    database = Database(address, [Shelf.schema])
    yield Shelf(database, now=lambda: NOW - ago)
    await database.close()


async def throw_away(address: str, name: str, ago: timedelta) -> None:
    """Put an item of each kind into the trash, some time ago."""
    async with opened(address, ago) as shelf:
        for kind in KINDS:
            item = await add(shelf, f"{kind}-{name}", kind)
            await shelf.run(lambda desk, id=item.id: desk.trash(id, ME))  # type: ignore[misc]


async def trash(address: str) -> list[str | None]:
    """Return the names of what is in the trash."""
    async with opened(address) as shelf:
        query = ItemQuery(KINDS, states=["deleted"], sort="name", ascending=True)
        return [item.name for item in (await shelf.read(lambda desk: desk.search(query, 99))).items]


async def filled(address: str) -> None:
    await throw_away(address, "old", timedelta(days=40))
    await throw_away(address, "new", timedelta(days=20))


@pytest.mark.parametrize(
    ("toolset", "gone"), [(notes, {"bookmark-old", "note-old"}), (prompts, {"prompt-old"})]
)
async def test_a_server_deletes_what_was_in_its_trash_for_so_many_days(
    address: str, tmp_path: Path, toolset: Toolset, gone: set[str]
) -> None:
    await filled(address)
    before = await trash(address)
    tool = "search_items" if toolset is notes else "search_prompts"

    async with served(
        address, tmp_path / "home", toolset, sections={toolset.name: {"trash_days": 30}}
    ) as client:
        await client.call(tool)  # opens the library
        async with asyncio.timeout(60):
            while len(await trash(address)) > len(before) - len(gone):  # noqa: ASYNC110  # of a task of its own
                await asyncio.sleep(0.05)

    assert set(before) - set(await trash(address)) == gone


async def test_without_a_setting_the_trash_is_kept(address: str, tmp_path: Path) -> None:
    await filled(address)

    async with served(address, tmp_path / "home", notes, prompts) as client:
        await client.call("search_items")
        await client.call("search_prompts")

    assert len(await trash(address)) == 6


async def test_much_trash_is_deleted_bit_by_bit(address: str) -> None:
    async with opened(address) as shelf:

        def work(desk: Any) -> None:
            for number in range(205):
                desk.trash(desk.add(Draft("note", None, f"Note {number}"), ME).id, ME)

        await shelf.run(work)

        assert await empty_trash(shelf, ["note"], 1, NOW + timedelta(days=2)) == 205


@pytest.mark.parametrize(("days", "left"), [(30, 3), (0, 0), (1e300, 6)])
async def test_a_person_empties_the_trash_of_all_kinds(
    address: str, tmp_path: Path, days: float, left: int
) -> None:
    await filled(address)
    async with opened(address) as shelf:
        kept = await add(shelf, "kept", "note")
    keeper = Safekeeping(address, tmp_path)

    assert await keeper.empty_trash(days) == 6 - left
    assert len(await trash(address)) == left
    async with opened(address) as shelf:
        assert (await shelf.read(lambda desk: desk.get(kept.id))).name == "kept"


async def test_a_chore_that_fails_stops_neither_the_others_nor_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done = asyncio.Event()

    async def fail() -> None:
        raise Full("The disk is full.")

    async def work() -> None:
        done.set()

    chores = Chores([fail, work])
    with caplog.at_level(logging.WARNING):
        chores.start()
        await asyncio.wait_for(done.wait(), 60)
        await chores.close()

    assert "has to wait: The disk is full." in caplog.text
