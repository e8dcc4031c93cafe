"""Marks: equal only as long as nothing was written, by this process or by any other."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from laconic.stores import Database
from laconic.stores.database import database as module
from laconic.stores.database.postgres import watch as watches
from laconic.stores.database.watching import Mark
from laconic.stores.errors import StoreDown
from tests.postgres_server import PostgresServer
from tests.unit.stores.database.samples import add, increase, schema, values

PATIENCE = 90.0  # seconds
_WRITE = """
import asyncio, sys
from sqlalchemy import text
from laconic.stores import Database

async def main():
    database = Database(sys.argv[1])
    await database.run(lambda connection: connection.execute(text("UPDATE counters SET value = value + 1")))
    await database.close()

asyncio.run(main())
"""


async def mark_of(database: Database) -> Mark:
    """Return a mark; the first read after somebody asked makes it known."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await database.read(values)
            if (found := await later(database)) is not None:
                return found


async def later(database: Database) -> Mark | None:
    """Return the mark in a later round of the event loop, as every request is."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return await database.mark()


def _write_elsewhere(address: str) -> None:
    """Write in another process, while this one does nothing."""
    subprocess.run([sys.executable, "-c", _WRITE, address], check=True)


async def test_before_the_first_read_no_mark_is_known(database: Database) -> None:
    assert await database.mark() is None
    assert await mark_of(database) is not None


async def test_reads_leave_the_mark_as_it_is(database: Database) -> None:
    mark = await mark_of(database)
    for _ in range(3):
        await database.read(values)
        assert await later(database) == mark


async def test_a_write_of_ours_changes_the_mark(database: Database) -> None:
    marks = [await mark_of(database)]
    for name in ("a", "b"):
        await database.run(partial(add, name=name))
        marks.append(await later(database))
    assert len(set(marks)) == 3 and None not in marks


async def test_a_write_on_another_connection_changes_the_mark(database: Database, address: str) -> None:
    other = Database(address)
    mark = await mark_of(database)
    await other.run(partial(increase, name="made"))
    assert await later(database) not in (mark, None)
    await other.close()


async def test_a_write_in_another_process_changes_the_mark(database: Database, address: str) -> None:
    mark = await mark_of(database)
    _write_elsewhere(address)
    assert (await database.read(values))["made"] == 2
    assert await later(database) not in (mark, None)


async def test_one_who_waits_long_for_its_commit_changes_the_mark_then(
    database: Database, address: str
) -> None:
    is_file = not address.startswith("postgres")
    started, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slowly(connection: Any) -> None:
        add(connection, "slow")
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(PATIENCE)

    await mark_of(database)
    other = Database(address)
    writing = asyncio.create_task(other.run(slowly))
    await started.wait()
    if not is_file:  # a file has one writer
        await database.run(partial(add, name="quick"))
    mark = await later(database)
    assert mark is not None and mark == await later(database)
    go_on.set()
    await writing
    assert await later(database) not in (mark, None)
    await other.close()


async def test_marks_of_two_openings_are_never_equal(database: Database) -> None:
    mark = await mark_of(database)
    await database.close()
    assert await database.mark() is None
    assert await mark_of(database) != mark


async def test_a_file_that_was_moved_has_no_mark(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    database = Database(file, [schema(tmp_path, 1)])
    await mark_of(database)
    file.rename(tmp_path / "elsewhere.db")
    assert await later(database) is None
    with pytest.raises(StoreDown):
        await database.read(values)
    assert await later(database) is None
    await database.close()


async def test_who_watches_a_file_keeps_nobody_from_tidying_its_journal(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    database = Database(file, [schema(tmp_path, 1)])
    await mark_of(database)
    await database.run(partial(increase, name="made"))
    assert await later(database) is not None
    with closing(sqlite3.connect(file)) as other:
        busy, *_ = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert not busy
    await database.close()


@pytest.mark.needs("postgres")
async def test_a_question_under_way_does_not_answer_who_comes_later(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = postgres.new_database()
    database = Database(address, [schema(tmp_path, 1)])
    mark = await mark_of(database)
    early = asyncio.create_task(database.mark())
    await asyncio.sleep(0)  # its question is sent
    _write_elsewhere(address)  # meanwhile its answer is here, but not read
    assert await database.mark() not in (mark, None)
    assert await early is not None
    await database.close()


@pytest.mark.needs("postgres")
async def test_many_who_ask_at_once_share_questions_and_one_who_leaves_takes_nothing_along(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(postgres.new_database(), [schema(tmp_path, 1)])
    mark = await mark_of(database)
    watch: Any = database._watched[1]  # type: ignore[index]
    asked: list[Any] = []
    ask = watch._ask

    def counted(loop: Any) -> None:
        asked.append(loop)
        ask(loop)

    monkeypatch.setattr(watch, "_ask", counted)
    tasks = [asyncio.create_task(database.mark()) for _ in range(50)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    tasks[10].cancel()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert found.count(mark) == 48 and len(asked) == 2
    await database.close()


@pytest.mark.needs("postgres")
async def test_a_server_that_is_gone_has_no_mark_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_AGAIN", 0.0)
    with PostgresServer() as server:
        database = Database(server.new_database(), [schema(tmp_path, 1)], patience=0.2)
        mark = await mark_of(database)
        server.kill()
        asking = [asyncio.create_task(database.mark()) for _ in range(3)]
        assert await asyncio.gather(*asking) == [None] * 3
        with pytest.raises(StoreDown):
            await database.read(values)
        assert await database.mark() is None
        server.start()
        assert await mark_of(database) != mark
        await database.close()


@pytest.mark.needs("postgres")
async def test_a_question_that_nobody_answers_is_given_up(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "_PATIENCE", 0.1)
    database = Database(postgres.new_database(), [schema(tmp_path, 1)])
    assert await mark_of(database) is not None
    watch: Any = database._watched[1]  # type: ignore[index]
    monkeypatch.setattr(watch, "_readable", lambda: None)
    watch._loop.remove_reader(watch._socket)
    assert await database.mark() is None
    assert watch.is_over
    await database.close()
