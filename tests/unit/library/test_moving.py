"""A backup of one kind of database is put into the other, row by row the same, and back again."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from laconic.library.safekeeping import Safekeeping
from laconic.stores import By, Database, Draft, ItemQuery, Shelf
from laconic.stores.database.postgres import backend
from laconic.stores.shelf.tables import POSTINGS, REVISIONS, TABLES
from tests.library import address_of

ME = By("ada", "test", {"token": "lac_1234"})
LATER = datetime.now(UTC) + timedelta(days=9)
QUERIES = ["oats", '"oats and"', "{{ wat", "é", "-oats", "water OR oats", "C++"]
SLOW = (
    "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql"
    " AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END'",
    f"CREATE TRIGGER slow BEFORE DELETE ON {POSTINGS.name} FOR EACH STATEMENT EXECUTE FUNCTION slow()",
)
pytestmark = pytest.mark.needs("postgres")


def fill(desk: Any) -> None:
    """Keep something of everything: versions, labels, links, tags, archive, trash and uses."""
    one = desk.add(
        Draft("prompt", "bread", "Brot", "für alle", "Flour {{ water }}.\r\n", {"arguments": []}), ME
    )
    two = desk.add(Draft("note", None, "C++ ❤ 𝄞", None, "Oats and\twater\n" * 50, tags=["home", "old"]), ME)
    page = desk.add(Draft("bookmark", "https://example.com/é", None, terms="cafe\u0301"), ME)
    desk.edit(one.id, {"body": "Rye {{ water }}.", "tags": ["home"]}, ME)
    desk.edit(one.id, {"title": None}, ME)
    desk.label(one.id, "production", 1)
    desk.link(one.id, two.id, ME, "both baked")
    desk.rename_tag("old", "older")
    desk.archive(two.id, ME, LATER)
    desk.use(two.id)
    desk.trash(page.id, ME)
    for number in range(600):  # more than are moved at once
        desk.add(Draft("note", None, f"Note {number}"), ME)


async def made(address: str, work: Any) -> Any:
    database = Database(address, [Shelf.schema])
    try:
        return await Shelf(database).run(work)
    finally:
        await database.close()


async def rows(address: str) -> Mapping[str, Any]:
    """Return everything that a library has, apart from how often it was changed."""

    def work(connection: Connection) -> Mapping[str, Any]:
        tables = [table for table in TABLES.sorted_tables if table is not REVISIONS]
        return {table.name: sorted(connection.execute(select(table)), key=repr) for table in tables}

    database = Database(address, [Shelf.schema])
    try:
        return await database.read(work)
    finally:
        await database.close()


async def found(address: str) -> list[list[str]]:
    def work(desk: Any) -> list[list[str]]:
        kinds = ["prompt", "note", "bookmark"]
        queries = [ItemQuery(kinds, text, states=["active", "deleted"]) for text in QUERIES]
        return [[item.id for item in desk.search(query, 700).items] for query in queries]

    hits: list[list[str]] = await made(address, work)
    return hits


@pytest.fixture
def postgres_library(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty library on a server."""
    return address_of("postgres", request, tmp_path)


@pytest.mark.parametrize("first", ["sqlite", "postgres"])
async def test_a_library_moves_to_the_other_kind_and_back(
    first: str, postgres_library: str, tmp_path: Path
) -> None:
    both = [str(tmp_path / "library.db"), postgres_library]
    source, target = both if first == "sqlite" else reversed(both)
    await made(source, fill)
    before, hits = await rows(source), await found(source)
    one, two = tmp_path / "one.db", tmp_path / "two.db"

    await Safekeeping(source, tmp_path / "backups").backup(one)
    await Safekeeping(target, tmp_path / "backups").restore(one)

    assert await rows(target) == before and await found(target) == hits
    assert (await Safekeeping(target, tmp_path / "backups").check()).faults == []
    await made(
        target, lambda desk: desk.add(Draft("note", None, "New", tags=["new"]), ME)
    )  # its number is free
    after, hits = await rows(target), await found(target)

    await Safekeeping(target, tmp_path / "backups").backup(two)
    await Safekeeping(source, tmp_path / "backups").restore(two)

    assert await rows(source) == after and await found(source) == hits


async def test_what_others_add_while_a_library_is_put_back_is_whole_or_not_there(
    postgres_library: str, tmp_path: Path
) -> None:
    file, copy = str(tmp_path / "library.db"), tmp_path / "copy.db"
    await made(file, fill)
    await Safekeeping(file, tmp_path / "backups").backup(copy)
    database, stopped = Database(postgres_library, [Shelf.schema], patience=60), asyncio.Event()
    shelf = Shelf(database)

    async def write() -> list[str]:
        ids = []
        while not stopped.is_set():
            ids.append((await shelf.run(lambda desk: desk.add(Draft("note", None, "Meanwhile"), ME))).id)
        return ids

    writers = [asyncio.create_task(write()) for _ in range(3)]
    await Safekeeping(postgres_library, tmp_path / "backups").restore(copy)
    stopped.set()
    ids = {id for writer in writers for id in await writer}
    await database.close()

    there = {row.id for row in (await rows(postgres_library))["items"]}
    expected = {row.id for row in (await rows(file))["items"]}
    assert expected <= there and there - expected <= ids
    assert (await Safekeeping(postgres_library, tmp_path / "backups").check()).faults == []


@pytest.mark.parametrize("act", ["restore", "rebuild"])
async def test_putting_back_and_rebuilding_may_take_longer_than_an_answer_is_waited_for(
    postgres_library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    monkeypatch.setattr(backend, "_SILENT", 1.0)
    monkeypatch.setattr(backend, "_STATEMENT", 1_000)
    await made(postgres_library, fill)
    keeping, copy = Safekeeping(postgres_library, tmp_path / "backups"), tmp_path / "copy.db"
    await keeping.backup(copy)
    before = await rows(postgres_library)
    database = Database(postgres_library, [Shelf.schema])
    await database.run(lambda connection: [connection.exec_driver_sql(step) for step in SLOW])
    await database.close()

    await (keeping.restore(copy) if act == "restore" else keeping.repair())

    assert await rows(postgres_library) == before
