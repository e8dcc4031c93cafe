"""A workspace with another name for its folder: all that is kept is there, and nothing in `.wrangler`."""

from pathlib import Path

import pytest

from laconic.cli.configuration.toml_setting import with_setting
from laconic.kit import Refused, Settings
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

    assert status == 2
    words = "Use one name of letters, digits, '-', '_' and a leading '.', like .issues."
    assert said == f"laconic: [issues] folder: {words}\n"


def test_init_writes_the_chosen_folder_into_the_configuration(work: Path, laconic: Command) -> None:
    planned = laconic("init", "--folder", ".tracker", "--dry-run")
    assert planned[0] == 0 and not (work / "laconic.toml").exists() and not (work / ".tracker").exists()
    made = laconic("init", "--folder", ".tracker")
    new = laconic("new", "First", "--body", "Text")
    again = laconic("init", "--folder", ".tracker")

    assert (work / "laconic.toml").read_text(encoding="utf-8") == '[issues]\nfolder = ".tracker"\n'
    assert 'laconic.toml: [issues] folder = ".tracker" would be written.' in planned[1]
    assert ".tracker/issues, .tracker/specifications" in planned[1]
    assert made[0] == 0 and 'folder = ".tracker" is written. Commit that file' in made[1]
    assert "\t.tracker/issues/ISS-000001-first.md" in new[1]
    assert again[0] == 0 and again[1].startswith("The folder of this workspace is .tracker.\n")
    assert not (work / ".wrangler").exists()


def test_init_leaves_issues_where_they_are(work: Path, laconic: Command) -> None:
    laconic("new", "First", "--body", "Text")
    status, said = laconic("init", "--folder", "tracker")
    assert status == 1 and "has the folder .wrangler already. Move it first: git mv .wrangler tracker" in said
    assert not (work / "laconic.toml").exists() and not (work / "tracker").exists()

    git(work, "add", "-A")
    git(work, "mv", ".wrangler", "tracker")
    assert laconic("init", "--folder", "tracker")[0] == 0
    assert "First" in laconic("list")[1]


def test_init_refuses_a_folder_that_a_variable_would_replace(
    work: Path, laconic: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACONIC_ISSUES_FOLDER", ".other")
    status, said = laconic("init", "--folder", ".tracker")

    assert status == 1 and "sets the folder .other" in said
    assert not (work / "laconic.toml").exists()


@pytest.mark.parametrize("words", [["--folder", "a/b"], ["--folder", ""], ["--folder", ".x", "--undo"]])
def test_init_refuses_a_folder_that_cannot_be(work: Path, laconic: Command, words: list[str]) -> None:
    assert laconic("init", *words)[0] == 2
    assert [path.name for path in work.iterdir()] == [".git"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[issues]\nfolder = ".x"\n'),
        ("servers = ['issues']", "servers = ['issues']\n\n[issues]\nfolder = \".x\"\n"),
        ("[issues] # ours\nttl = 1 # s\n", '[issues] # ours\nfolder = ".x"\nttl = 1 # s\n'),
        ("[issues]", '[issues]\nfolder = ".x"\n'),
        ("[a]\r\nb = 1\r\n", '[a]\r\nb = 1\r\n\r\n[issues]\r\nfolder = ".x"\r\n'),
        (
            "[a]\nfolder = 'a'\n[ issues ]\n  folder='.y' # why\n[z]\nfolder = 'z'\n",
            "[a]\nfolder = 'a'\n[ issues ]\nfolder = \".x\" # why\n[z]\nfolder = 'z'\n",
        ),
        ("[issues.folders]\nissue = 'a'\n", "[issues.folders]\nissue = 'a'\n\n[issues]\nfolder = \".x\"\n"),
    ],
)
def test_one_setting_is_written_and_no_other_byte_changes(before: str, after: str) -> None:
    assert with_setting(before, "issues", "folder", ".x") == after
    assert with_setting(after, "issues", "folder", ".x") == after


@pytest.mark.parametrize(
    "text", ["issues = { ttl = 1 }\n", "issues.ttl = 1\n", "issues = 1\n", "[issues]\nfolder = 1\n"]
)
def test_a_setting_in_another_form_is_left_to_a_person(text: str) -> None:
    with pytest.raises(Refused, match="cannot be edited safely"):
        with_setting(text, "issues", "folder", ".x")
