"""`laconic library`: a command that is killed leaves the library as it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.process.killing import kill_in_the_middle
from tests.process.speaking import run

LARGE = 40  # megabytes: the command takes long enough to be killed


def test_a_restore_that_is_killed_changes_nothing(tmp_path: Path, workspace: Path) -> None:
    library, copy = tmp_path / "data" / "library.db", tmp_path / "copy.db"

    def says(*words: str, stdin: str = "") -> str:
        return run(*words, folder=workspace, stdin=stdin, LACONIC_DATABASE=str(library)).stdout

    says("prompts", "edit", "one", "--new", "--file", "-", stdin="Before.")
    says("library", "backup", str(copy))
    says("prompts", "edit", "one", "--file", "-", stdin="After.")
    with closing(sqlite3.connect(copy)) as db:
        db.execute("CREATE TABLE ballast (content)")
        db.executemany("INSERT INTO ballast VALUES (zeroblob(1000000))", [()] * LARGE)
        db.commit()
    journal = library.with_name("library.db-wal")

    kill_in_the_middle(
        ["library", "restore", str(copy), "--yes"],
        workspace,
        library,
        lambda: journal.exists() and journal.stat().st_size > 1_000_000,
    )

    assert says("prompts", "show", "one") == "After."
    assert says("library", "check") == "ok    1 prompt; 2 versions\n"
    assert "What was there is in" in says("library", "restore", str(copy), "--yes")
    assert says("prompts", "show", "one") == "Before."
