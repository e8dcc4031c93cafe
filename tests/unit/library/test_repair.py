"""An index of search that does not fit its items is found by a check, and rebuilt from them."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from laconic.kit import NotFound
from laconic.library.safekeeping import Safekeeping
from laconic.stores import By, Database, Draft, Item, ItemQuery, Shelf

ME = By("ada", "test")
TEXTS = "items whose text search lacks or has otherwise"
ENTRIES = "entries of the index of search that are missing or wrong"
WORDS = "words that search lacks, or has though no text does"
PARTS = "words of which search does not find a part"
BREAD, CAKE = "Flour and {{ water }} for a bread.", "Sugar for a cake."
QUERIES = ("flour", "lou", '"and {{ wat"', "{{ water }}", "suga", "a", "home")


def filled(desk: Any) -> None:
    desk.add(Draft("note", None, "Bread", body=BREAD, tags=["home"]), ME)
    desk.add(Draft("note", None, "Cake", body=CAKE), ME)


def answers(desk: Any) -> list[list[Item]]:
    return [desk.search(ItemQuery(["note"], query), 10).items for query in QUERIES]


async def damaged(address: str, *statements: str) -> list[list[Item]]:
    """Make a library, damage it; returns what searches found before."""
    database = Database(address, [Shelf.schema])
    shelf = Shelf(database)
    await shelf.run(filled)
    before = await shelf.read(answers)

    def damage(connection: Connection) -> None:
        for one in statements:
            connection.execute(text(one))

    await database.run(damage)
    await database.close()
    return before


async def found(address: str) -> list[list[Item]]:
    database = Database(address, [Shelf.schema])
    items = await Shelf(database).read(answers)
    await database.close()
    return items


@pytest.mark.parametrize(
    ("damage", "faults"),
    [
        ("DELETE FROM postings WHERE term = 'sflour'", [f"1 {ENTRIES}"]),
        ("UPDATE postings SET kind = 'prompt' WHERE term = 'sflour'", [f"2 {ENTRIES}"]),
        ("UPDATE postings SET block = 7 WHERE term = 'glo'", [f"2 {ENTRIES}"]),
        (
            "UPDATE postings SET items = (SELECT items FROM postings WHERE term = 'ssugar')"
            " WHERE term = 'sflour'",
            [f"1 {ENTRIES}"],
        ),
        ("UPDATE postings SET items = substr(items, 1, 2) WHERE term = 'sflour'", [f"1 {ENTRIES}"]),
        ("UPDATE postings SET items = substr(items, 1, 0) WHERE term = 'sflour'", [f"1 {ENTRIES}"]),
        ("DELETE FROM vocabulary WHERE word = 'flour'", [f"1 {WORDS}"]),
        ("INSERT INTO vocabulary (word) VALUES ('flourish')", [f"1 {WORDS}"]),
        ("UPDATE item_texts SET title = 'loaf' WHERE title = 'bread'", [f"1 {TEXTS}"]),
        ("DELETE FROM item_texts WHERE title = 'cake'", [f"1 {TEXTS}"]),
    ],
)
async def test_a_damaged_index_is_found_and_rebuilt(
    address: str, tmp_path: Path, damage: str, faults: list[str]
) -> None:
    before = await damaged(address, damage)
    keeper = Safekeeping(address, tmp_path / "backups")

    checked = await keeper.check()
    assert (checked.items, checked.versions, checked.faults) == ({"note": 2}, 2, [])
    assert checked.index == faults
    await keeper.repair()

    checked = await keeper.check()
    assert (checked.items, checked.versions, checked.faults, checked.index) == ({"note": 2}, 2, [], [])
    assert await found(address) == before


async def test_an_index_of_parts_that_sqlite_lost_is_rebuilt(tmp_path: Path) -> None:
    address = str(tmp_path / "library.db")
    lost = "INSERT INTO vocabulary_grams (vocabulary_grams) VALUES ('delete-all')"
    before = await damaged(address, lost)
    keeper = Safekeeping(address, tmp_path / "backups")

    assert await found(address) != before
    assert (await keeper.check()).index == [f"9 {PARTS}"]
    await keeper.repair()

    assert (await keeper.check()).index == []
    assert await found(address) == before


async def test_a_sound_index_stays_as_it_is_when_it_is_rebuilt(address: str, tmp_path: Path) -> None:
    before = await damaged(address)
    keeper = Safekeeping(address, tmp_path / "backups")
    await keeper.repair()
    assert (await keeper.check()).index == []
    assert await found(address) == before


async def test_where_nothing_is_nothing_is_repaired(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        await Safekeeping(str(tmp_path / "none.db"), tmp_path / "backups").repair()
    assert not (tmp_path / "none.db").exists()
