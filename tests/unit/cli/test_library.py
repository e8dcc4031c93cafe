"""`laconic library`: backup, restore and check, as a person types them."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from laconic.cli import app
from laconic.stores import By, Database, Draft, Shelf


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one note, which the environment names."""
    file = tmp_path / "library.db"
    asyncio.run(add(file, "Bread"))
    monkeypatch.setenv("LACONIC_DATABASE", str(file))
    return file


async def add(file: Path, title: str) -> None:
    database = Database(file, [Shelf.schema])
    await Shelf(database).run(lambda desk: desk.add(Draft("note", None, title), By()))
    await database.close()


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = app.run(["library", *words])
    out, err = capsys.readouterr()
    return status, out + err


def test_what_was_backed_up_is_put_back(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = file.with_name("copy.db")

    assert said(capsys, "backup", str(copy)) == (0, f"The library is in {copy}.\n")
    asyncio.run(add(file, "Later"))
    assert said(capsys, "check") == (0, "ok    2 notes; 2 versions\n")
    status, words = said(capsys, "restore", str(copy), "--yes")

    assert status == 0 and f"What was there is in {file.parent / 'backups'}" in words
    assert said(capsys, "check") == (0, "ok    1 note; 1 version\n")


def test_a_backup_needs_a_file_of_its_own(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for taken, words in ((file, "There is a file library.db already."), (file.parent, "Name a file in it.")):
        status, told = said(capsys, "backup", str(taken))

        assert status != 0 and words in told


def test_without_a_yes_nothing_is_put_back(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, words = said(capsys, "restore", str(file))

    assert status == 1 and "Nothing was changed" in words and "--yes" in words


def test_damage_is_told_with_what_to_do(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"damaged " * 1000)

    status, words = said(capsys, "check")

    assert status == 1 and "WRONG" in words and "laconic library restore FILE" in words


def test_a_damaged_index_is_told_and_rebuilt(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("DELETE FROM postings WHERE term = 'sbread'")
        db.commit()

    wrong = "1 entries of the index of search that are missing or wrong\n"
    advice = "No item is damaged. Rebuild the index: laconic library check --repair.\n"
    ok = "ok    1 note; 1 version\n"
    assert said(capsys, "check") == (1, f"WRONG {wrong}{advice}")
    assert said(capsys, "check", "--repair") == (0, f"was   {wrong}{ok}The index of search was rebuilt.\n")
    assert said(capsys, "check", "--repair") == (0, ok)


def test_where_nothing_is_nothing_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = tmp_path / "none.db"

    status, words = said(capsys, "check", "--database", str(nowhere))

    assert status == 1 and "not found" in words and not nowhere.exists()
