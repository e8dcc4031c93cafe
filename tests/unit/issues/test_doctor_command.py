"""`laconic issues doctor` and `laconic issues init`, as a person runs them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from laconic.cli.main import main
from tests.unit.issues import messy
from tests.unit.issues.clones import Clone, git

Said = tuple[int, str]
Command = Callable[..., Said]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    git(tmp_path, "init", "--quiet", "work")
    monkeypatch.chdir(folder)
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.delenv("LACONIC_WORKSPACE", raising=False)
    return folder


@pytest.fixture
def laconic(work: Path, capfd: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str) -> Said:
        status = main(["issues", *words])
        said = capfd.readouterr()
        return status, said.out + said.err

    return run


def test_the_doctor_reports_a_healthy_workspace(work: Path, laconic: Command) -> None:
    Clone(work).create("First")

    assert laconic("doctor") == (0, "Nothing is wrong with the issues' files.\n")


def test_the_doctor_changes_files_only_with_fix(work: Path, laconic: Command) -> None:
    messy.build(work)
    before = messy.state(work)

    status, said = laconic("doctor")
    planned, plan = laconic("doctor", "--fix")
    assert messy.state(work) == before
    fixed, done = laconic("doctor", "--fix", "--yes")
    again, rest = laconic("doctor", "--json")

    assert (status, planned, fixed, again) == (1, 1, 1, 1)
    assert ".wrangler/issues/ISS-000020-two.md: ISS-000020 is also" in plan and "Add --yes" in plan
    assert "--fix repairs the 3 marked +" in said
    assert done.startswith("Repaired 3:\n")
    assert {row["mendable"] for row in json.loads(rest)["findings"]} == {False}


def test_init_creates_the_folders_and_registers_the_driver_and_undo_removes_it(
    work: Path, laconic: Command
) -> None:
    config = (work / ".git/config").read_bytes()

    planned = laconic("init", "--dry-run")
    assert (work / ".git/config").read_bytes() == config and not (work / ".wrangler").exists()
    first, second, undone, nothing = (laconic("init", *words) for words in ([], [], ["--undo"], ["--undo"]))

    assert [status for status, _ in (planned, first, second, undone, nothing)] == [0] * 5
    assert "run without --dry-run to apply" in planned[1] and "git would merge" in planned[1]
    assert (
        first[1].startswith("Workspace initialized.") and "git now merges issues field by field" in first[1]
    )
    assert second[1].endswith("No changes needed.\ngit merges issues field by field here.\n")
    assert undone[1] == "git merges issues like any other file again.\n"
    assert nothing[1] == "git merges issues like any other file here.\n"
    assert (work / ".git/config").read_bytes() == config
    assert not (work / ".git/info/attributes").exists()


def test_init_outside_a_repository_creates_the_folders(
    tmp_path: Path, laconic: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")

    status, said = laconic("init")

    assert (status, said.splitlines()[-1]) == (0, "There is no git repository here, so nothing to merge.")
    assert (tmp_path / "plain/.wrangler/issues").is_dir()


def test_issues_that_git_ignores_are_noticed_by_everyone(
    work: Path, laconic: Command, capfd: pytest.CaptureFixture[str]
) -> None:
    (work / ".gitignore").write_text(".wrangler/\n", encoding="utf-8")
    noticed = "git ignores .wrangler/issues"
    created = laconic("new", "First", "--body", "x")
    planned = laconic("init", "--dry-run")
    examined = laconic("doctor")
    main(["doctor"])
    general = "".join(capfd.readouterr())

    for _, said in (created, planned, examined):
        assert noticed in said
    assert noticed in general
    assert examined[0] == 1
    (work / ".gitignore").write_text(".wrangler/sessions/\n", encoding="utf-8")
    assert all(
        "git ignores" not in laconic(*words)[1] for words in (["doctor"], ["init"], ["new", "B", "-b", ""])
    )


def test_init_creates_the_folders_that_issues_need_and_no_others(work: Path, laconic: Command) -> None:
    laconic("init")

    made = sorted(path.relative_to(work / ".wrangler").as_posix() for path in (work / ".wrangler").rglob("*"))
    assert made == [
        *(".gitignore", "ideas", "ideas/.gitkeep", "issues", "issues/.gitkeep"),
        *("specifications", "specifications/.gitkeep"),
    ]
    assert "sessions/" in (work / ".wrangler/.gitignore").read_text(encoding="utf-8")
    assert "fully compliant" in laconic("init")[1]
