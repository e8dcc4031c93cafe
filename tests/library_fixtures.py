"""Fixtures of servers on the library: a client with an empty library, on each kind of database in turn.

A folder of tests says in a fixture `toolset` which server it is, and imports these into its conftest.
"""

from collections.abc import AsyncIterator

import pytest

from laconic.kit import Toolset
from laconic.kit.testing import TestClient
from tests.library import KINDS, address_of, emptied, served

__all__ = ["client", "connected", "library"]


@pytest.fixture(scope="session", params=KINDS)
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a library."""
    return address_of(request.param, request, tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
async def connected(
    library: str, toolset: Toolset, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[TestClient]:
    """One client for all tests: what its server starts is started once."""
    async with served(library, tmp_path_factory.mktemp("home"), toolset) as client:
        yield client


@pytest.fixture
async def client(connected: TestClient, library: str) -> TestClient:
    """A client whose library is empty."""
    await emptied(library)
    return connected
