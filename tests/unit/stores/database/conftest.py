"""Each kind of database in turn, empty."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from laconic.stores import Database
from tests.library import KINDS, address_of
from tests.unit.stores.database.samples import schema


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    return address_of(request.param, request, tmp_path / "new")


@pytest.fixture
async def database(address: str, tmp_path: Path) -> AsyncIterator[Database]:
    """A database with the sample tables, opened on first use."""
    database = Database(address, [schema(tmp_path, 1)])
    yield database
    await database.close()
