"""A team keeps prompts in git: changes on both sides meet as in code, and a killed command loses nothing."""

import os
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.process.killing import kill_in_the_middle
from tests.process.speaking import run

MANY = 60
ALONE = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "ada" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


class Person:
    """Somebody with a library and a clone of the team's repository."""

    def __init__(self, folder: Path, origin: Path) -> None:
        self.clone, self._database = folder / "project", folder / "library.db"
        folder.mkdir()
        subprocess.run(["git", "clone", "-q", origin, self.clone], check=True, env=os.environ | ALONE)

    def git(self, *words: str) -> int:
        done = subprocess.run(["git", *words], cwd=self.clone, env=os.environ | ALONE, capture_output=True)
        return done.returncode

    def prompts(self, *words: str, stdin: str = "") -> str:
        done = run("prompts", *words, folder=self.clone, stdin=stdin, LACONIC_DATABASE=str(self._database))
        return done.stdout + done.stderr

    def edit(self, name: str, content: str) -> None:
        assert " is version " in self.prompts("edit", name, "--new", "--file", "-", stdin=content)

    def share(self) -> None:
        """Export, commit, and merge what the others have."""
        self.prompts("export", "prompts")
        self.git("add", "-A")
        self.git("commit", "-qm", "prompts")

    def pull(self) -> bool:
        return self.git("pull", "-q", "--no-rebase", "origin", "main") == 0

    def push(self) -> None:
        assert self.git("push", "-q", "origin", "HEAD:main") == 0

    def import_all(self) -> str:
        return self.prompts("import", "prompts", "--on-conflict", "replace")


@pytest.fixture
def team(tmp_path: Path) -> tuple[Person, Person]:
    """Two people, and a repository with nothing in it but what the first has pushed."""
    origin = tmp_path / "origin.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", origin], check=True)
    ada, bob = Person(tmp_path / "ada", origin), Person(tmp_path / "bob", origin)
    ada.edit("review", "First.\n\nMiddle.\n\nLast.\n")
    ada.share()
    ada.push()
    assert bob.pull() and "1 new." in bob.import_all()
    return ada, bob


def test_changes_of_both_sides_are_merged_by_git_and_imported(team: tuple[Person, Person]) -> None:
    ada, bob = team
    ada.edit("review", "First, by Ada.\n\nMiddle.\n\nLast.\n")
    ada.share()
    ada.push()
    bob.edit("review", "First.\n\nMiddle.\n\nLast, by Bob.\n")
    bob.share()

    assert bob.pull()

    assert "1 skipped. --on-conflict replace takes what is in the files" in bob.prompts("import", "prompts")
    assert "1 replaced." in bob.import_all()
    assert bob.prompts("show", "review") == "First, by Ada.\n\nMiddle.\n\nLast, by Bob.\n"
    assert bob.prompts("show", "review@2") == "First.\n\nMiddle.\n\nLast, by Bob.\n"
    bob.share()
    bob.push()
    assert ada.pull() and "1 replaced." in ada.import_all()
    assert ada.prompts("export", "prompts") == "1 unchanged.\n" and ada.git("diff", "--exit-code") == 0


def test_a_file_with_a_conflict_is_neither_imported_nor_written_until_it_is_resolved(
    team: tuple[Person, Person],
) -> None:
    ada, bob = team
    for person in team:
        person.edit("review", f"By {person.clone.parent.name}.\n")
        person.share()
    ada.push()
    assert not bob.pull() and "<<<<<<<" in (bob.clone / "prompts" / "review.md").read_text()

    assert "refused   review.md: Git has not merged it yet" in bob.import_all()
    assert bob.prompts("show", "review") == "By bob.\n"
    assert "refused   review.md: Git has not merged it yet" in bob.prompts("export", "prompts")
    assert "By ada." in (bob.clone / "prompts" / "review.md").read_text()
    bob.git("checkout", "--theirs", "prompts/review.md")
    bob.git("commit", "-qam", "merged")
    assert "1 replaced." in bob.import_all() and bob.prompts("show", "review") == "By ada.\n"


@pytest.mark.parametrize("command", ["import", "export"])
def test_a_command_that_is_killed_leaves_whole_prompts_and_is_finished_by_the_next(
    tmp_path: Path, workspace: Path, command: str
) -> None:
    database, out = tmp_path / "library.db", workspace / "out"
    (workspace / "in").mkdir()
    for number in range(MANY):
        (workspace / "in" / f"prompt-{number}.md").write_text(f"Line {number}.\n" * 100)
    if command == "export":
        run("prompts", "import", "in", folder=workspace, LACONIC_DATABASE=str(database))
    words = ["prompts", command, "in" if command == "import" else "out"]

    kill_in_the_middle(words, workspace, database, lambda: done(command, database, out) >= 3)
    said = run(*words, folder=workspace, LACONIC_DATABASE=str(database)).stdout
    run("prompts", "export", "out", folder=workspace, LACONIC_DATABASE=str(database))

    assert "refused" not in said and " unchanged" in said, said
    pages = {path.name: path.read_text().partition("[]\n---\n")[2] for path in out.glob("*.md")}
    assert pages == {f"prompt-{number}.md": f"Line {number}.\n" * 100 for number in range(MANY)}


def done(command: str, database: Path, out: Path) -> int:
    """How many prompts a command has come to."""
    if command == "export":
        return len([*out.glob("*.md")])
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        return int(db.execute("SELECT count(*) FROM items").fetchone()[0])
    return 0
