"""A library for tests: made once for each kind of database, and emptied for each test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, delete

from laconic.kit import Endpoint, HomeFolders, Settings, Toolset
from laconic.kit.testing import TestClient, connect
from laconic.stores import Database, Shelf
from laconic.stores.shelf.tables import ITEMS, POSTINGS, TAGS, TEXTS, VOCABULARY

__all__ = ["KINDS", "Prepared", "address_of", "emptied", "in_own_task", "served"]

Opened = TypeVar("Opened")

KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))]


def address_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the address of a new database."""
    if kind == "sqlite":
        return str(folder / "library.db")
    address: str = request.getfixturevalue("postgres").new_database()
    return address


class Prepared:
    """A library that is filled once and copied into each folder, for the trials of a contract."""

    def __init__(self, fill: Callable[[Path], Awaitable[None]]) -> None:
        self._fill = fill
        self._content = b""

    async def __call__(self, folder: Path) -> Settings:
        file = folder / "library.db"
        if not self._content:
            await self._fill(file)
            self._content = file.read_bytes()
        file.write_bytes(self._content)
        return Settings(database=str(file))


async def emptied(address: str) -> None:
    """Delete everything in a library."""
    database = Database(address, [Shelf.schema])
    await database.run(_delete)
    await database.close()


def _delete(connection: Connection) -> None:
    for table in (TEXTS, ITEMS, TAGS, POSTINGS, VOCABULARY):  # the others belong to one of these
        connection.execute(delete(table))


@asynccontextmanager
async def served(
    address: str, folder: Path, *toolsets: Toolset, **settings: Any
) -> AsyncIterator[TestClient]:
    """Serve toolsets on a library."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[TestClient]:
        chosen = Settings(database=address, **settings)
        endpoint = Endpoint(toolsets, settings=chosen, folders=HomeFolders.below(folder))
        try:
            async with connect(endpoint=endpoint) as client:
                yield client
        finally:
            await endpoint.close()

    async with in_own_task(opened()) as client:
        yield client


@asynccontextmanager
async def in_own_task(opening: AbstractAsyncContextManager[Opened]) -> AsyncIterator[Opened]:
    """Open and close something in a task of its own: fixtures of a session may end in any order."""
    ready, over = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def hold() -> None:
        async with opening as opened:
            ready.set_result(opened)
            await over.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
    if not ready.done():
        await task  # it failed
    try:
        yield ready.result()
    finally:
        over.set()
        await task
