"""A workspace with another name for its folder: all that is kept is there, and nothing in `.wrangler`."""

from pathlib import Path

import pytest

from laconic.kit import Settings
from laconic.kit.testing import connect
from laconic.servers.issues.tools import issues
from tests.unit.issues.clones import git
from tests.unit.issues.test_doctor_command import Command, laconic, work

__all__ = ["laconic", "work"]


def choose(folder: Path, name: str) -> None:
    (folder / "laconic.toml").write_text(f'[issues]\nfolder = "{name}"\n', encoding="utf-8")


def test_commands_use_the_chosen_folder(work: Path, laconic: Command) -> None:
    choose(work, ".tracker")

    made = laconic("init")
    new = laconic("new", "First", "--body", "Text")
    done = laconic("done", "1")
    healthy = laconic("doctor")
    written = laconic("init", "--agents", "--yes")

    assert [status for status, _ in (made, new, done, healthy, written)] == [0] * 5
    assert (
        ".tracker/issues, .tracker/specifications" in made[1] and ".tracker/.gitignore: sessions/" in made[1]
    )
    assert "\t.tracker/issues/ISS-000001-first.md" in new[1]
    assert (work / ".tracker/issues/archived/ISS-000001-first.md").is_file()
    assert "`.tracker/issues`" in (work / "AGENTS.md").read_text(encoding="utf-8")
    assert ".tracker/issues/" in (work / ".git/info/attributes").read_text(encoding="utf-8")
    assert not (work / ".wrangler").exists()


def test_init_and_new_say_that_git_ignores_the_chosen_folder(work: Path, laconic: Command) -> None:
    choose(work, "tracker")
    (work / ".gitignore").write_text("tracker/\n", encoding="utf-8")

    for words in (["init"], ["new", "First", "--body", "Text"], ["doctor"]):
        assert "git ignores tracker/issues" in laconic(*words)[1]


def test_numbers_outside_a_repository_are_marked_in_the_chosen_folder(
    tmp_path: Path, laconic: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    choose(tmp_path / "plain", ".tracker")

    assert laconic("new", "First", "--body", "Text")[0] == 0
    assert sorted(path.name for path in Path().iterdir()) == [".tracker", "laconic.toml"]


async def test_sessions_and_the_full_set_up_use_the_chosen_folder(work: Path) -> None:
    settings = Settings(sections={"issues": {"workspace": str(work), "folder": ".tracker"}}, output="both")
    async with connect(issues, settings=settings) as client:
        made = await client.call("init_workspace", fix=True)
        await client.call("issues_create", title="Plan", description="Text", type="specification")
        git(work, "add", "-A")
        git(work, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "The plan")
        started = await client.call("session_start", specFile="SPEC-000001-plan.md")
        clean = git(work, "status", "--porcelain").stdout
        (work / ".tracker/.gitignore").write_text("# nothing\n", encoding="utf-8")
        again = await client.call("session_start", specFile="SPEC-000001")
        missed = await client.call("session_start", specFile="SPEC-000001-plam.md")
        status = await client.call("session_status", list="all")
        checked = await client.call("init_workspace", doctor=True)

    assert ".tracker/config/workspace-schema.json" in made.text and ".wrangler" not in made.text
    assert not any(reply.failed for reply in (made, started, again, status, checked)), started.text
    assert len(list((work / ".tracker/sessions").iterdir())) == 2
    assert ".tracker/.gitignore" in again.text and ".tracker/sessions" not in again.text, again.text
    assert ".tracker/sessions/" in str(again.structured)
    assert clean == ""
    assert "Did you mean .tracker/specifications/SPEC-000001-plan.md" in missed.text
    assert "home" not in made.structured
    assert not (work / ".wrangler").exists()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "../x", "/x", ".git", ".GIT", ".worktrees", "a b", "-x", "x."]
)
def test_a_name_that_is_not_a_plain_folder_is_refused(work: Path, laconic: Command, name: str) -> None:
    choose(work, name)

    status, said = laconic("list")

    assert status == 2 and "Use one name of letters" in said and said.count("\n") == 1
