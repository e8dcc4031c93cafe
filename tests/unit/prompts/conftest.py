"""A client of the prompts server, with an empty library on each kind of database in turn."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from laconic.kit import Changes, Toolset
from laconic.kit.testing import TestClient
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.store import KIND
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.tools import prompts
from laconic.stores import Database, Shelf
from tests.library import emptied, served
from tests.library_fixtures import client, connected, library

__all__ = ["client", "connected", "library"]


@pytest.fixture(scope="session")
def toolset() -> Toolset:
    """The server."""
    return prompts


@pytest.fixture
async def all_tools(client: TestClient, library: str, tmp_path: Path) -> AsyncIterator[TestClient]:
    """A client that has the tools for people, too, on an empty library."""
    async with served(library, tmp_path, prompts, tools={"prompts": "all"}) as connected:
        yield connected


@pytest.fixture(scope="session")
async def judge() -> AsyncIterator[Judge]:
    """A judge of templates."""
    judge = Judge()
    yield judge
    await judge.close()


@pytest.fixture
async def service(library: str, judge: Judge) -> AsyncIterator[Library]:
    """The service that tools and REST share, on an empty library."""
    await emptied(library)
    database = Database(library, [Shelf.schema])
    service = Library(Shelf(database, [KIND]), judge, Changes())
    yield service
    await service.uses.close()
    await database.close()
