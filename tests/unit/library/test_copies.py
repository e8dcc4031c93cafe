"""A library that is a file is copied once a day; the newest copies are kept, and nothing waits for them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from laconic.kit import Endpoint, HomeFolders, Settings
from laconic.kit.testing import connect
from laconic.library.copies import DailyCopies
from laconic.servers.notes.tools import notes
from laconic.stores import By, Database, Draft, Shelf
from tests.unit.library.damage import damage

START = datetime(2026, 1, 1, tzinfo=UTC)


class Days:
    """A clock that moves by days."""

    def __init__(self) -> None:
        self.day = 0

    def __call__(self) -> datetime:
        return START + timedelta(days=self.day)


async def filled(file: Path) -> None:
    database = Database(file, [Shelf.schema])
    await Shelf(database).run(lambda desk: desk.add(Draft("note", None, "Bread"), By()))
    await database.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_there_is_one_copy_for_each_day_and_the_newest_are_kept(tmp_path: Path) -> None:
    file, days = tmp_path / "library.db", Days()
    await filled(file)
    copies = DailyCopies(str(file), 2, days)
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "library-mine.db").write_text("not yours to delete")

    for days.day in (0, 0, 1, 2):
        copies.make()

    assert names(tmp_path / "backups") == [
        "library-2026-01-02.db",
        "library-2026-01-03.db",
        "library-mine.db",
    ]


async def test_a_copy_can_be_opened_as_a_library(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    await filled(file)

    copy = DailyCopies(str(file), 2).make()

    assert copy is not None
    database = Database(copy, [Shelf.schema])
    assert (await Shelf(database).read(lambda desk: desk.history(["note"], 9)))[0].title == "Bread"
    await database.close()


async def test_none_is_made_if_none_is_wanted_or_there_is_no_file(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    await filled(file)

    assert DailyCopies(str(file), 0).make() is None
    assert DailyCopies(str(tmp_path / "other.db"), 7).make() is None
    assert DailyCopies("postgresql://localhost/library", 7).make() is None
    assert not (tmp_path / "backups").exists()


async def test_a_library_without_items_is_not_copied_so_that_the_day_has_a_copy_of_use(
    tmp_path: Path,
) -> None:
    file = tmp_path / "library.db"
    copies = DailyCopies(str(file), 7)
    file.touch()
    assert copies.make() is None
    database = Database(file, [Shelf.schema])
    await Shelf(database).read(lambda desk: desk.history(["note"], 1))  # makes the tables
    await database.close()
    assert copies.make() is None

    await filled(file)

    assert copies.make() is not None


async def test_a_copy_that_cannot_be_made_is_logged_and_leaves_nothing_half_done(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "library.db"
    await filled(file)
    (tmp_path / "backups").write_text("a file where the folder should be")

    assert DailyCopies(str(file), 7).make() is None
    assert "no copy of the library was made" in caplog.text


async def test_a_damaged_library_is_not_copied_so_that_the_sound_copies_stay(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, days = tmp_path / "library.db", Days()
    await filled(file)
    copies = DailyCopies(str(file), 1, days)
    sound = copies.make()
    damage(file)

    days.day = 1

    assert copies.make() is None
    assert sound is not None and names(tmp_path / "backups") == [sound.name]
    assert "no copy of the library was made: library.db is damaged" in caplog.text


async def test_a_server_makes_the_copy_of_the_day(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    await filled(file)
    endpoint = Endpoint(
        [notes],
        settings=Settings(database=str(file), database_copies=3),
        folders=HomeFolders.below(tmp_path / "home"),
    )
    async with connect(endpoint=endpoint) as client:
        assert "Bread" in (await client.call("search_items")).text
    await endpoint.close()

    assert len(names(tmp_path / "backups")) == 1
