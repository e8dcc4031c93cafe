"""The section for agents in AGENTS.md and CLAUDE.md: its text is true, and the rest of a file stays."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from laconic.kit import Conflict, Failure, Settings
from laconic.kit.testing import connect
from laconic.servers.issues.index.layout import Layout
from laconic.servers.issues.setup.guides import guide_changes, section
from laconic.servers.issues.tools import issues
from laconic.stores import StoreDown
from tests.unit.issues.test_doctor_command import Command, laconic, work

__all__ = ["laconic", "work"]

ISSUE = "---\nid: ISS-000012\ntitle: Login fails\nstatus: open\n---\nWORDS\n"


def codes(root: Path) -> list[str]:
    """The code in the section."""
    return re.findall(r"`([^`]+)`", section(Layout.of(root)))


def apply(root: Path, *, remove: bool = False) -> list[str]:
    changes = guide_changes(Layout.of(root), remove=remove)
    for change in changes:
        change.apply()
    return [change.name for change in changes]


def write_issue(root: Path) -> None:
    path = root / ".wrangler/issues/ISS-000012-login-fails.md"
    path.parent.mkdir(parents=True)
    path.write_text(ISSUE, encoding="utf-8")


def test_every_command_of_the_section_works(work: Path, laconic: Command) -> None:
    write_issue(work)
    commands = [shlex.split(code)[2:] for code in codes(work) if code.startswith("laconic issues")]

    said = {words[0]: laconic(*words) for words in commands}

    assert [status for status, _ in said.values()] == [0] * 6
    assert all("ISS-000012" in said[name][1] for name in ("ready", "search", "show", "claim", "done"))
    assert "ISS-000013" in said["new"][1]


async def test_every_tool_call_of_the_section_works(work: Path) -> None:
    write_issue(work)
    settings = Settings(sections={"issues": {"workspace": str(work)}})
    calls = [code.partition(" ") for code in codes(work) if code.startswith("issues_")]

    async with connect(issues, settings=settings) as client:
        said = {tool: await client.call(tool, **yaml.safe_load(given)) for tool, _, given in calls}

    assert len(said) == 6
    assert all(not answer.failed for answer in said.values())
    assert all("ISS-000012" in said[tool].text for tool in ("issues_list", "issues_search", "issues_get"))


def test_the_section_names_the_folder_of_the_issues(work: Path) -> None:
    assert "`.wrangler/issues`" in section(Layout.of(work))
    assert "`tasks`" in section(Layout.of(work, {"issue": "tasks"}))


@pytest.mark.parametrize(
    "old",
    [
        b"# Rules\n\nBe kind.\n",
        b"no line end",
        b"two\n\n\n",
        b"\n",
        b"\r\n",
        b"# Windows\r\n\r\nText\r\n",
        b"mixed\r\nends\nhere",
        b"\xef\xbb\xbf# Mark\n",
        b"caf\xe9 \xff in Latin 1\n",
    ],
)
def test_the_section_is_added_once_and_removed_without_a_trace(work: Path, old: bytes) -> None:
    file = work / "AGENTS.md"
    file.write_bytes(old)

    assert apply(work) == ["AGENTS.md"]
    new = file.read_bytes()
    assert new.startswith(old) and new.count(b"<!-- laconic:issues -->") == 1
    assert (b"\r\n## Issues\r\n" in new) == old.partition(b"\n")[0].endswith(b"\r")
    assert apply(work) == []
    assert apply(work, remove=True) == ["AGENTS.md"]
    assert file.read_bytes() == old


def test_a_file_of_the_section_alone_comes_and_goes(work: Path) -> None:
    assert apply(work, remove=True) == []
    assert apply(work) == ["AGENTS.md"]
    assert (work / "AGENTS.md").read_text(encoding="utf-8") == section(Layout.of(work))
    assert apply(work, remove=True) == ["AGENTS.md"]
    assert not (work / "AGENTS.md").exists()


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("Above\n\n", "\nBelow", "Above\n\nBelow"),
        ("Above\n", "Below\n", "Above\nBelow\n"),
        ("", "B\n", "B\n"),
    ],
)
def test_an_old_section_is_replaced_in_its_place(work: Path, before: str, after: str, left: str) -> None:
    file = work / "AGENTS.md"
    old = "<!-- laconic:issues -->\nOld words.\n<!-- /laconic:issues -->\n"
    file.write_text(before + old + after, encoding="utf-8")

    apply(work)
    assert file.read_text(encoding="utf-8") == before + section(Layout.of(work)) + after
    apply(work, remove=True)
    assert file.read_text(encoding="utf-8") == left


@pytest.mark.parametrize(
    "text",
    [
        "<!-- laconic:issues -->\nwithout an end\n",
        "<!-- /laconic:issues -->\n<!-- laconic:issues -->\n",
        "<!-- laconic:issues -->\n<!-- /laconic:issues -->\n" * 2,
    ],
)
@pytest.mark.parametrize("remove", [False, True])
def test_broken_markers_are_left_to_people(work: Path, text: str, remove: bool) -> None:
    (work / "AGENTS.md").write_text(text, encoding="utf-8")

    with pytest.raises(Conflict, match="once each, in this order"):
        apply(work, remove=remove)
    assert (work / "AGENTS.md").read_text(encoding="utf-8") == text


def test_markers_within_a_line_are_text(work: Path) -> None:
    (work / "AGENTS.md").write_text("Keep `<!-- laconic:issues -->`.\n", encoding="utf-8")

    assert apply(work) == apply(work, remove=True) == ["AGENTS.md"]


def test_claude_md_gets_the_section_too_if_it_is_a_file_of_its_own(work: Path) -> None:
    (work / "CLAUDE.md").write_text("Mine.\n", encoding="utf-8")

    assert apply(work) == ["AGENTS.md", "CLAUDE.md"]
    (work / "CLAUDE.md").write_bytes(b"Mine.\n@AGENTS.md\n\n" + section(Layout.of(work)).encode())
    assert apply(work) == ["CLAUDE.md"], "what it includes is not said twice"
    assert (work / "CLAUDE.md").read_text(encoding="utf-8") == "Mine.\n@AGENTS.md\n"


@pytest.mark.parametrize(("link", "file"), [("CLAUDE.md", "AGENTS.md"), ("AGENTS.md", "CLAUDE.md")])
def test_two_names_of_one_file_get_one_section(work: Path, link: str, file: str) -> None:
    (work / file).write_text("Mine.\n", encoding="utf-8")
    (work / link).symlink_to(file)

    apply(work)

    assert (work / link).is_symlink() and not (work / file).is_symlink()
    assert (work / file).read_text(encoding="utf-8") == "Mine.\n\n" + section(Layout.of(work))


def test_a_link_out_of_the_workspace_a_folder_and_other_encodings_are_refused(work: Path) -> None:
    outside = work.parent / "theirs.md"
    outside.write_text("Theirs.\n", encoding="utf-8")
    (work / "AGENTS.md").symlink_to(outside)
    with pytest.raises(Failure, match="leads out of the workspace"):
        apply(work)
    (work / "AGENTS.md").unlink()
    (work / "AGENTS.md").write_text("Wide\n", encoding="utf-16")
    with pytest.raises(Failure, match="not UTF-8"):
        apply(work)
    (work / "AGENTS.md").unlink()
    (work / "AGENTS.md").mkdir()
    with pytest.raises(StoreDown, match="cannot be read"):
        apply(work)
    assert outside.read_text(encoding="utf-8") == "Theirs.\n"


def test_a_file_that_changed_after_it_was_shown_is_not_written(work: Path) -> None:
    (change,) = guide_changes(Layout.of(work), remove=False)
    (work / "AGENTS.md").write_text("New.\n", encoding="utf-8")

    with pytest.raises(Conflict, match="changed meanwhile"):
        change.apply()
    assert (work / "AGENTS.md").read_text(encoding="utf-8") == "New.\n"


def test_init_shows_the_section_and_writes_it_only_after_a_yes(work: Path, laconic: Command) -> None:
    planned, plan = laconic("init", "--agents", "--dry-run")
    assert not (work / ".wrangler").exists()
    refused, shown = laconic("init", "--agents")
    assert not (work / "AGENTS.md").exists()
    done, said = laconic("init", "--agents", "--yes")
    again, rest = laconic("init", "--agents")

    assert (planned, refused, done, again) == (0, 1, 0, 0)
    assert section(Layout.of(work)) in plan and section(Layout.of(work)) in shown
    assert "AGENTS.md: the section for agents would be written (a new file)." in plan
    assert "Add --yes" in shown and (work / ".wrangler/issues").is_dir()
    assert said.endswith("AGENTS.md: the section for agents is written.\n")
    assert rest.endswith("The section for agents is up to date.\n")


def test_init_removes_the_section_after_a_yes_and_creates_nothing(work: Path, laconic: Command) -> None:
    assert laconic("init", "--agents", "--remove") == (0, "The section for agents is in no file.\n")
    apply(work)
    status, said = laconic("init", "--agents", "--remove")
    assert status == 1 and "would be removed, and the file with it." in said and (work / "AGENTS.md").exists()
    assert laconic("init", "--agents", "--remove", "--yes") == (
        0,
        "AGENTS.md: the section for agents is removed.\n",
    )
    assert not (work / "AGENTS.md").exists() and not (work / ".wrangler").exists()


@pytest.mark.parametrize("words", [["--remove"], ["--agents", "--undo"]])
def test_options_that_do_not_go_together_are_refused(work: Path, laconic: Command, words: list[str]) -> None:
    status, said = laconic("init", *words)

    assert status == 2 and "--remove goes with --agents" in said
