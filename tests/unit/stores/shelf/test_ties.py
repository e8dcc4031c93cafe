"""Equal items come in the order in which they were added, on every page and every database."""

import pytest

from laconic.stores import Database, Shelf
from tests.unit.stores.shelf.samples import Clock, add, found

NAMES = ["d", "b", "e", "a", "c"]


async def test_items_of_equal_rank_come_newest_first_whatever_the_clock_says(address: str) -> None:
    database, clock = Database(address, [Shelf.schema]), Clock()
    shelf = Shelf(database, now=clock)
    for name in NAMES:
        await add(shelf, name, body="The same text.")
        clock.turn(hours=-1)

    assert await found(shelf, "text") == NAMES[::-1]
    await database.close()


@pytest.mark.parametrize("is_ascending", [True, False])
async def test_items_of_equal_titles_come_by_their_time_in_the_direction_of_the_list(
    address: str, is_ascending: bool
) -> None:
    database = Database(address, [Shelf.schema])
    shelf = Shelf(database, now=Clock())
    for name in NAMES:
        await add(shelf, name, title="The same")

    listed = await found(shelf, sort="title", ascending=is_ascending)
    assert listed == (NAMES if is_ascending else NAMES[::-1])
    await database.close()
