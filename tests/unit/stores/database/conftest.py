"""Each kind of database in turn, empty."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from laconic.stores import Database
from tests.unit.stores.database.samples import schema

KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))]


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "new" / "library.db")
    address: str = request.getfixturevalue("postgres").new_database()
    return address


@pytest.fixture
async def database(address: str, tmp_path: Path) -> AsyncIterator[Database]:
    """A database with the sample tables, opened on first use."""
    database = Database(address, [schema(tmp_path, 1)])
    yield database
    await database.close()
