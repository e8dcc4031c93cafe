"""A client of the prompts server, with an empty library on each kind of database in turn."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from laconic.kit.testing import TestClient
from laconic.servers.prompts.templates.judge import Judge
from laconic.servers.prompts.tools import prompts
from tests.library import KINDS, address_of, emptied, served


@pytest.fixture(scope="session", params=KINDS)
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a library."""
    return address_of(request.param, request, tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
async def connected(library: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TestClient]:
    """One client for all tests: its workers start once."""
    async with served(library, tmp_path_factory.mktemp("home"), prompts) as client:
        yield client


@pytest.fixture
async def client(connected: TestClient, library: str) -> TestClient:
    """A client whose library is empty."""
    await emptied(library)
    return connected


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
