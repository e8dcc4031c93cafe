"""Work on a database: one transaction, all of it or nothing, on SQLite and PostgreSQL alike."""

import asyncio
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from anyio import create_task_group
from sqlalchemy import Connection, insert

from laconic.effects import watched
from laconic.stores import BadValue, Database
from laconic.stores.errors import Newer, StoreDown, Taken
from tests.unit.stores.database.samples import COUNTERS, add, increase, schema, values
from tests.unit.stores.keepers import RUNNERS, race

STEPS = 10


async def test_what_work_wrote_is_there_for_the_next(database: Database) -> None:
    await database.run(partial(add, name="a", value=3))
    assert await database.read(values) == {"made": 1, "a": 3}


async def test_what_work_raises_undoes_it(database: Database) -> None:
    def work(connection: Connection) -> None:
        add(connection, "a")
        raise KeyError("a")

    with watched() as effects, pytest.raises(KeyError):
        await database.run(work)
    assert await database.read(values) == {"made": 1}
    assert not effects.any


async def test_only_a_commit_is_an_effect(database: Database) -> None:
    with watched() as effects:
        await database.read(values)
        assert not effects.any
        await database.run(partial(add, name="a"))
    assert effects.any


async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(StoreDown, match="can be read, but not written"):
        await database.read(partial(add, name="a"))
    assert await database.read(values) == {"made": 1}


async def test_a_read_sees_one_moment(database: Database, address: str) -> None:
    other = Database(address)

    def work(connection: Connection) -> list[dict[str, int]]:
        before = values(connection)
        asyncio.run(_add_and_close(address))
        return [before, values(connection)]

    before, after = await database.read(work)
    assert before == after == {"made": 1}
    assert "late" in await database.read(values)
    await other.close()


async def _add_and_close(address: str) -> None:
    database = Database(address)
    await database.run(partial(add, name="late"))
    await database.close()


async def test_tasks_that_count_at_once_lose_nothing(database: Database) -> None:
    async with create_task_group() as tasks:
        for _ in range(STEPS):
            tasks.start_soon(database.run, partial(increase, name="made"))
    assert (await database.read(values))["made"] == STEPS + 1


@pytest.mark.slow
async def test_processes_that_open_and_count_at_once_lose_nothing(address: str, tmp_path: Path) -> None:
    race(count_often, address, tmp_path)
    database = Database(address)
    assert await database.read(values) == {"made": 1 + RUNNERS * STEPS}
    await database.close()


def count_often(address: str, folder: Path, number: int) -> None:
    async def run() -> None:
        own = folder / str(number)
        own.mkdir()
        database = Database(address, [schema(own, 1)], patience=30)
        for _ in range(STEPS):
            await database.run(partial(increase, name="made"))
        await database.close()

    asyncio.run(run())


@pytest.mark.parametrize("name", ["nul \0", "half \ud800"])
async def test_a_text_that_no_database_can_keep_is_refused(database: Database, name: str) -> None:
    with watched() as effects, pytest.raises(BadValue, match="NUL character or half of a surrogate pair"):
        await database.run(partial(add, name=name))
    assert not effects.any
    with pytest.raises(BadValue):
        await database.run(
            lambda c: c.execute(insert(COUNTERS), [{"name": "b", "value": 1}, {"name": name, "value": 1}])
        )
    assert await database.read(values) == {"made": 1}


async def test_all_letters_that_exist_are_kept(database: Database) -> None:
    name = "".join(chr(code) for code in (*range(1, 0xD800, 997), *range(0xE000, 0x110000, 9973)))
    await database.run(partial(add, name=name))
    assert name in await database.read(values)


async def test_the_same_made_by_somebody_else_is_taken(database: Database) -> None:
    tries = 0

    def work(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        add(connection, "made")

    with pytest.raises(Taken):
        await database.run(work)
    assert tries > 1  # the work looks again: it may find what the other one made


async def test_nothing_is_opened_before_the_first_use(tmp_path: Path) -> None:
    database = Database(tmp_path / "new" / "library.db", [schema(tmp_path, 1)])
    assert await database.pending() == []
    await database.close()
    assert not (tmp_path / "new").exists()


async def test_a_closed_database_opens_again(database: Database) -> None:
    await database.run(partial(add, name="a"))
    await database.close()
    assert "a" in await database.read(values)


async def test_a_migration_is_applied_once_and_pending_before(address: str, tmp_path: Path) -> None:
    before = Database(address, [schema(tmp_path, 1)])
    await before.read(values)
    after = Database(address, [schema(tmp_path, 2)])
    assert await after.pending() == ["counters 0002"]
    assert (await after.read(values))["made"] == 2
    assert await after.pending() == []
    await after.close()
    assert (await before.read(values))["made"] == 2
    await before.close()


async def test_a_failed_migration_changes_nothing(address: str, tmp_path: Path) -> None:
    first = Database(address, [schema(tmp_path, 1)])
    await first.read(values)
    broken = Database(address, [schema(tmp_path, 3)])
    with pytest.raises(Exception, match="no_such_table"):
        await broken.read(values)
    await broken.close()
    assert await first.read(values) == {"made": 1}
    later = Database(address, [schema(tmp_path, 2)])
    assert await later.read(values) == {"made": 2}
    await first.close()
    await later.close()


async def test_a_newer_database_is_refused_in_one_sentence(address: str, tmp_path: Path) -> None:
    newer, older = Database(address, [schema(tmp_path, 2)]), Database(address, [schema(tmp_path, 1)])
    await newer.read(values)
    with pytest.raises(Newer) as refused:
        await older.read(values)
    said = str(refused.value)
    assert said.startswith("The database test" if "://" in address else "library.db was")
    assert said.endswith(
        "was written by a newer version of Laconic (counters 0002, this one knows 0001);"
        " update Laconic to use it."
    )
    assert refused.value.harmless
    await newer.close()
    await older.close()


async def test_an_older_program_writes_nothing_once_a_newer_one_has_migrated(
    address: str, tmp_path: Path
) -> None:
    older, newer = Database(address, [schema(tmp_path, 1)]), Database(address, [schema(tmp_path, 2)])
    await older.run(partial(add, name="before"))
    await newer.read(values)

    with pytest.raises(Newer) as refused:
        await older.run(partial(add, name="after"))

    assert refused.value.harmless and "after" not in await newer.read(values)
    await newer.close()
    await older.close()


@pytest.mark.slow
async def test_of_eight_processes_that_migrate_at_once_one_does(address: str, tmp_path: Path) -> None:
    first = Database(address, [schema(tmp_path, 1)])
    await first.read(values)
    await first.close()
    assert race(migrated, address, tmp_path) == [2] * RUNNERS


def migrated(address: str, folder: Path, number: int) -> int:
    async def run() -> int:
        own = folder / str(number)
        own.mkdir()
        database = Database(address, [schema(own, 2)])
        found = await database.read(values)
        await database.close()
        return found["made"]

    return asyncio.run(run())


@pytest.mark.parametrize(
    "address", ["mysql://me@here/x", "", "postgresql://me:secret@here:port/x"], indirect=False
)
async def test_an_address_of_another_kind_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(BadValue, match="Expected a database as") as refused:
        await Database(address).read(values)
    assert "secret" not in str(refused.value)


def test_libraries_are_imported_when_they_are_needed(tmp_path: Path) -> None:
    program = """
import asyncio, sys
from laconic.stores import Database, Shelf

def heavy():
    return [name for name in ("sqlalchemy", "alembic", "psycopg") if name in sys.modules]

async def run(path):
    database = Database(path, [Shelf.schema])
    shelf = Shelf(database)
    print(heavy())
    await shelf.read(lambda desk: desk.tags(["prompt"]))
    print(heavy())

asyncio.run(run(sys.argv[1]))
"""
    path = tmp_path / "library.db"
    first, second = [
        subprocess.run(
            [sys.executable, "-c", program, path], capture_output=True, text=True, timeout=50
        ).stdout
        for _ in range(2)
    ]
    assert first.splitlines() == ["[]", "['sqlalchemy', 'alembic']"]
    assert second.splitlines() == ["[]", "['sqlalchemy']"]
