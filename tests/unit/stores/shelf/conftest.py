"""An empty shelf on each kind of database in turn, and a clock that only moves when it is turned."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from laconic.stores import Database, ItemKind, Shelf
from tests.library import KINDS, address_of
from tests.unit.stores.shelf.samples import Clock


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    return address_of(request.param, request, tmp_path)


@pytest.fixture
def clock() -> Clock:
    """The time of the shelf."""
    return Clock()


@pytest.fixture
async def shelf(address: str, clock: Clock) -> AsyncIterator[Shelf]:
    """An empty shelf; a hit in the name of a `page` counts less than one in its body."""
    database = Database(address, [Shelf.schema])
    yield Shelf(database, [ItemKind("page", name=50)], clock)
    await database.close()
