"""What `laconic doctor` says about the library: whether it is up to date, and why it cannot be used."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from laconic.library.checkups import tables_of
from laconic.stores import Database, Newer, Shelf


async def on(address: str, statement: str) -> None:
    database = Database(address, [Shelf.schema])
    await database.run(lambda connection: connection.execute(text(statement)))
    await database.close()


async def asked(address: str) -> str:
    database = Database(address, [Shelf.schema])
    try:
        return (await tables_of(Shelf(database))).detail
    finally:
        await database.close()


async def test_a_library_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert await asked(str(tmp_path / "none.db")) == "up to date"
    assert not await asyncio.to_thread((tmp_path / "none.db").exists)


async def test_an_older_library_is_said_to_be_brought_up_to_date(address: str) -> None:
    await on(address, "SELECT 1")
    assert await asked(address) == "up to date"
    await on(address, "UPDATE shelf_version SET version_num = '0003'")
    assert "the next use brings its tables up to date: shelf 0004" in await asked(address)


async def test_a_newer_library_is_refused(address: str) -> None:
    await on(address, "UPDATE shelf_version SET version_num = '9999'")
    with pytest.raises(Newer, match="update Laconic"):
        await asked(address)
