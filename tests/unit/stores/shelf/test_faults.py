"""What the caller of a tool on a shelf reads when its database fails; nothing is lost or half done."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from laconic.kit.testing import connect
from laconic.stores import Database, Shelf
from tests.unit.stores.shelf.samples import add, found, versions
from tests.unit.stores.shelf.test_tools import toolset

ROOT = Path(__file__).parents[4]
LONG = "many words " * 9_000


@contextmanager
def locked(path: Path) -> Any:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def moved_away(path: Path) -> Any:
    aside = path.with_suffix(".aside")
    path.rename(aside)
    yield
    aside.rename(path)


@contextmanager
def nothing_wrong(path: Path) -> Any:
    yield


@dataclass(frozen=True)
class Fault:
    happens: Callable[[Path], AbstractContextManager[None]]
    said: str
    body: str = "Flour."
    pages: int = 0  # that the file may have; 0: any number


FAULTS = {
    "another process holds the file": Fault(
        locked, "library.db was held by another process for too long. Try again later."
    ),
    "the file is gone": Fault(moved_away, "library.db was moved, deleted or replaced. Try again later."),
    "the disk is full": Fault(nothing_wrong, "no space left for library.db", LONG, pages=70),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_an_edit_that_fails_says_why_and_leaves_item_history_and_search_as_they_were(
    name: str, tmp_path: Path
) -> None:
    fault, path = FAULTS[name], tmp_path / "library.db"
    database = Database(path, [Shelf.schema], patience=0.2)
    shelf = Shelf(database)
    async with connect(toolset(shelf)) as client:
        await client.call("recipes_add", name="bread")
        if fault.pages:
            await database.run(
                lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {fault.pages}")
            )
        with fault.happens(path):
            lost = await client.call("recipes_edit", name="bread", body=fault.body, version=1)
        item = await shelf.read(lambda desk: desk.find("recipe", "bread"))
        words = await found(shelf, "flour OR many", kinds=["recipe"])
        history = await versions(shelf, item.id)
        done = await client.call("recipes_edit", name="bread", body="Water.", version=1)
    await database.close()

    assert lost.error["code"] == "PROVIDER_ERROR" and fault.said in lost.text
    assert lost.error["changed"] is False
    assert (item.version, item.body, words, len(history)) == (1, None, [], 1)
    assert done.text == "version 2"


KILLED = """
import asyncio, os, signal, sys
from laconic.stores import By, Database, Shelf

async def main():
    shelf = Shelf(Database(sys.argv[1], [Shelf.schema]))
    def work(desk):
        item = desk.find("prompt", "first")
        desk.edit(item.id, {"body": "half done", "tags": ["half"]}, By("eve"))
        desk.link(item.id, desk.find("prompt", "second").id, By("eve"))
        os.kill(os.getpid(), signal.SIGKILL)
    await shelf.run(work)

asyncio.run(main())
"""


async def test_a_process_killed_in_the_middle_of_an_edit_leaves_nothing_of_it(
    shelf: Shelf, address: str
) -> None:
    item = await add(shelf, "first", body="whole")
    await add(shelf, "second")
    killed = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", KILLED, address], cwd=ROOT, timeout=60
    )

    assert killed.returncode == -signal.SIGKILL
    assert await found(shelf, "half") == [] and await found(shelf, "whole") == ["first"]
    assert len(await versions(shelf, item.id)) == 1
    assert await shelf.read(lambda desk: desk.get(item.id).links) == ()


TOGETHER = """
import asyncio, sys
from laconic.stores import By, Database, Draft, Shelf

async def main():
    database = Database(sys.argv[1], [Shelf.schema])
    shelf = Shelf(database)
    for number in range(5):
        await shelf.run(lambda desk: desk.add(Draft("prompt", f"p{sys.argv[2]}-{number}"), By("eve")))
    await database.close()

asyncio.run(main())
"""


async def test_processes_that_make_the_tables_at_once_lose_nothing(shelf: Shelf, address: str) -> None:
    command = [sys.executable, "-c", TOGETHER, address]
    running = [await asyncio.create_subprocess_exec(*command, str(number), cwd=ROOT) for number in range(3)]
    ended = await asyncio.gather(*(process.wait() for process in running))

    assert ended == [0, 0, 0]
    assert len(await found(shelf)) == 15
