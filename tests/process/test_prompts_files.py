"""`laconic prompts export` and `import`: the library as files, in a real process."""

from pathlib import Path

from tests.process.speaking import run


def test_a_library_goes_into_files_and_into_another_library(tmp_path: Path, workspace: Path) -> None:
    def prints(words: str, database: str, status: int = 0) -> str:
        done = run("prompts", *words.split(), folder=workspace, LACONIC_DATABASE=str(tmp_path / database))
        assert done.returncode == status, done.stderr
        return done.stdout

    (workspace / "in").mkdir()
    (workspace / "in" / "review.md").write_text("---\ntags: [dev]\n---\nReview {{ code }}.\n")
    (workspace / "in" / "Bad Name.md").write_text("x")

    assert "Nothing was saved" in prints("import in --dry-run", "one.db", status=1)
    told = prints("import in", "one.db", status=1)
    assert "new       review.md\n" in told and "refused   Bad Name.md: Its name is no name" in told
    assert prints("export out", "one.db") == "written   review.md\n1 written.\n"
    assert prints("export out", "one.db") == "1 unchanged.\n"
    assert prints("import out", "two.db").endswith("1 new.\n")
    prints("export again", "two.db")
    assert (workspace / "again" / "review.md").read_bytes() == (workspace / "out" / "review.md").read_bytes()
    assert prints("export skills --skills codex", "two.db") == "written   review/SKILL.md\n1 written.\n"
    assert (workspace / "skills" / "review" / "SKILL.md").read_text().endswith("Review {{ code }}.\n")
