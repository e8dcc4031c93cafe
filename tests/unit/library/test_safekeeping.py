"""The library is the only copy: what was backed up comes back whole, on either kind of database."""

import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from laconic.kit import BadArguments, NotFound, Window
from laconic.library.safekeeping import Safekeeping
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.service import ContentQuery, Notes
from laconic.servers.notes.store import KINDS
from laconic.stores import By, Database, Newer, Shelf, Unusable
from tests.unit.library.damage import damage

ME = By("ada", "test")
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Notes]:
    database = Database(address, [Shelf.schema])
    notes = Notes(Shelf(database, KINDS), Pages(None))
    yield notes
    await notes.close()
    await database.close()


async def titles(notes: Notes, text: str = "") -> list[str | None]:
    page = await notes.find(Window(), ContentQuery(text=text))
    return [item.title for item in page.items]


async def filled(address: str) -> str:
    """Keep two linked notes, one of them in two versions; returns its id."""
    async with opened(address) as notes:
        one = (await notes.create_note("Bread", ME, content="Flour and {{ water }}.", tags=["home"])).id
        two = (await notes.create_note("Cake", ME, content="Sugar.")).id
        await notes.edit(one, [("Flour", "Rye")], ME)
        await notes.relate(one, two, ME, "both baked")
    return one


def keeper(address: str, tmp_path: Path) -> Safekeeping:
    return Safekeeping(address, tmp_path / "backups")


async def test_what_was_backed_up_comes_back_whole(address: str, tmp_path: Path) -> None:
    id, file = await filled(address), tmp_path / "copy.db"
    await keeper(address, tmp_path).backup(file)
    async with opened(address) as notes:
        await notes.edit(id, [("Rye", "Oats")], ME)
        await notes.create_note("Later", ME)
        before = await notes.revision()

    kept = await keeper(address, tmp_path).restore(file, NOW)

    async with opened(address) as notes:
        read = await notes.get(id)
        assert (read.content, read.version, read.tags) == ("Rye and {{ water }}.", 3, ["home"])
        assert [one.description for one in read.relationships] == ["both baked"]
        assert (await notes.version(id, 1)).body == "Flour and {{ water }}."
        assert await titles(notes) == ["Cake", "Bread"] and await titles(notes, "{{ wat") == ["Bread"]
        new = await notes.create_note("After", ME)  # its numbers are not those of others
        assert await titles(notes) == ["After", "Cake", "Bread"]
        await notes.relate(id, new.id, ME)
        assert await notes.revision() != before
    assert kept == tmp_path / "backups" / "library-before-restore-2026-01-02-030405.db"
    async with opened(str(kept)) as notes:
        assert "Later" in await titles(notes)


async def test_a_backup_is_one_file_for_its_owner_and_replaces_none(address: str, tmp_path: Path) -> None:
    await filled(address)
    file = tmp_path / "copies" / "copy.db"

    await keeper(address, tmp_path).backup(file)

    assert [path.name for path in file.parent.iterdir()] == ["copy.db"]
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(BadArguments):
        await keeper(address, tmp_path).backup(file)


async def test_a_check_counts_what_is_there(address: str, tmp_path: Path) -> None:
    await filled(address)

    found = await keeper(address, tmp_path).check()

    assert (found.items, found.versions, found.faults) == ({"note": 2}, 5, [])


async def test_a_check_finds_what_is_missing(address: str, tmp_path: Path) -> None:
    from sqlalchemy import delete

    from laconic.stores.shelf.tables import USES, VERSIONS

    await filled(address)
    database = Database(address, [Shelf.schema])
    await database.run(lambda connection: connection.execute(delete(USES)))
    await database.run(lambda connection: connection.execute(delete(VERSIONS).where(VERSIONS.c.number == 3)))
    await database.close()

    found = await keeper(address, tmp_path).check()

    assert found.faults == ["1 items without their newest version", "2 items without a time of use"]
    assert found.index == []


async def test_what_a_killed_restore_left_is_deleted_by_a_later_one(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(address)
    keep = keeper(address, tmp_path)
    await keep.backup(tmp_path / "kept.db")
    drafts = tmp_path / "drafts"
    monkeypatch.setattr("tempfile.tempdir", str(drafts))
    for name, age in (("laconic-library-old", 2 * 24 * 3600), ("laconic-library-new", 60), ("other", 10**6)):
        (drafts / name).mkdir(parents=True)
        (drafts / name / "library.db").write_bytes(b"draft")
        then = time.time() - age
        os.utime(drafts / name, (then, then))

    await keep.restore(tmp_path / "kept.db")

    assert sorted(path.name for path in drafts.iterdir()) == ["laconic-library-new", "other"]


async def test_where_there_is_no_library_nothing_is_made(tmp_path: Path) -> None:
    nowhere = keeper(str(tmp_path / "none.db"), tmp_path)

    with pytest.raises(NotFound):
        await nowhere.check()
    with pytest.raises(NotFound):
        await nowhere.backup(tmp_path / "copy.db")
    with pytest.raises(NotFound):
        await nowhere.restore(tmp_path / "no.db")
    with pytest.raises(NotFound):
        await nowhere.empty_trash(0)
    assert not (tmp_path / "none.db").exists() and not (tmp_path / "copy.db").exists()


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"x" * 5000])
async def test_what_is_no_backup_is_refused_and_changes_nothing(tmp_path: Path, content: bytes) -> None:
    address, file = str(tmp_path / "library.db"), tmp_path / "copy.db"
    id = await filled(address)
    file.write_bytes(content)

    with pytest.raises(Unusable):
        await keeper(address, tmp_path).restore(file)

    async with opened(address) as notes:
        assert (await notes.get(id)).version == 3


async def test_the_backup_of_a_newer_laconic_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    address, file = str(tmp_path / "library.db"), tmp_path / "copy.db"
    id = await filled(address)
    await keeper(address, tmp_path).backup(file)
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE shelf_version SET version_num = '9999'")
        db.commit()

    with pytest.raises(Newer):
        await keeper(address, tmp_path).restore(file)

    async with opened(address) as notes:
        assert (await notes.get(id)).version == 3


async def test_a_damaged_library_is_replaced_and_kept_aside(tmp_path: Path) -> None:
    library, file = tmp_path / "library.db", tmp_path / "copy.db"
    id = await filled(str(library))
    await keeper(str(library), tmp_path).backup(file)
    library.write_bytes(b"damaged " * 1000)

    assert (await keeper(str(library), tmp_path).check()).faults
    before = await keeper(str(library), tmp_path).restore(file)

    assert before == tmp_path / "library-damaged.db"
    async with opened(str(library)) as notes:
        assert (await notes.get(id)).version == 3
    assert (tmp_path / "library-damaged.db").read_bytes().startswith(b"damaged")


async def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file, other = tmp_path / "copy.db", tmp_path / "other.db"
    await filled(str(tmp_path / "library.db"))
    await keeper(str(tmp_path / "library.db"), tmp_path).backup(file)
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    before, keeping = other.read_bytes(), keeper(str(other), tmp_path)

    for work in (
        keeping.check(),
        keeping.backup(tmp_path / "x.db"),
        keeping.restore(file),
        keeping.empty_trash(0),
    ):
        with pytest.raises(Unusable, match=r"other\.db is no library"):
            await work
    assert other.read_bytes() == before


async def test_what_is_damaged_is_no_backup_but_kept_when_one_is_put_back(tmp_path: Path) -> None:
    library, file = tmp_path / "library.db", tmp_path / "copy.db"
    await filled(str(library))
    await keeper(str(library), tmp_path).backup(file)
    damage(library)
    damaged = library.read_bytes()

    with pytest.raises(Unusable, match=r"library\.db is damaged"):
        await keeper(str(library), tmp_path).backup(tmp_path / "other.db")
    before = await keeper(str(library), tmp_path).restore(file, NOW)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["backups", "copy.db", "library.db"]  # noqa: ASYNC240
    assert before is not None and before.read_bytes()[100:] == damaged[100:]  # the header counts changes
    assert not (await keeper(str(library), tmp_path).check()).faults


async def test_who_has_the_library_open_goes_on_with_what_was_put_back(address: str, tmp_path: Path) -> None:
    id, file = await filled(address), tmp_path / "copy.db"
    await keeper(address, tmp_path).backup(file)
    async with opened(address) as notes:
        await notes.edit(id, [("Rye", "Oats")], ME)

        await keeper(address, tmp_path).restore(file)

        assert (await notes.get(id)).content == "Rye and {{ water }}."
        await notes.edit(id, [("Rye", "Barley")], ME)
    async with opened(address) as notes:
        assert (await notes.get(id)).content == "Barley and {{ water }}."


async def test_a_copy_is_whole_although_others_write_meanwhile(tmp_path: Path) -> None:
    library = tmp_path / "library.db"
    await filled(str(library))
    stopped = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(library, timeout=60)) as db:
            while not stopped.is_set():
                db.execute("UPDATE items SET version = version + 1")
                db.commit()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(5):
            await keeper(str(library), tmp_path).backup(tmp_path / f"copy-{number}.db")
    finally:
        stopped.set()
        thread.join()

    for number in range(5):
        with closing(sqlite3.connect(tmp_path / f"copy-{number}.db")) as db:
            one, two = (version for (version,) in db.execute("SELECT version FROM items ORDER BY n"))
            assert one - two == 1  # as it was before: both or none of each change is there
