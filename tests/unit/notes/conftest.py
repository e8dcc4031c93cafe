"""A client of the notes server, with an empty library on each kind of database in turn."""

from collections.abc import AsyncIterator

import pytest

from laconic.kit.testing import TestClient
from laconic.servers.notes.tools import notes
from tests.library import KINDS, address_of, emptied, served


@pytest.fixture(scope="session", params=KINDS)
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a library."""
    return address_of(request.param, request, tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
async def connected(library: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TestClient]:
    """One client for all tests."""
    async with served(library, tmp_path_factory.mktemp("home"), notes) as client:
        yield client


@pytest.fixture
async def client(connected: TestClient, library: str) -> TestClient:
    """A client whose library is empty."""
    await emptied(library)
    return connected
