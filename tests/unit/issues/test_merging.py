"""Merging for git: conflicts are visible, and no byte of either side is lost."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.servers.issues.merging.merge import merged, split_issues
from laconic.stores.header.header import Header

BASE = """\
---
id: ISS-000001
title: First
status: open
priority: low
labels: []
createdAt: '2025-01-01T10:00:00.000Z'
updatedAt: '2025-01-01T10:00:00.000Z'
---
One.

Two.
"""
OTHER = BASE.replace("title: First", "title: Other").replace(
    "createdAt: '2025-01-01", "createdAt: '2025-01-02"
)


def bytes_of(*texts: str) -> list[bytes]:
    return [text.encode() for text in texts]


def test_two_issues_with_one_file_name_are_both_complete() -> None:
    found = merged(*bytes_of("", BASE, OTHER))

    text = found.content.decode()
    assert found.conflicts == ("id",)
    assert split_issues(text) == (BASE, OTHER)
    assert Header.of(text).values() == Header.of(BASE).values()


def test_one_issue_that_both_sides_added_is_merged() -> None:
    theirs = BASE.replace("priority: low", "priority: high").replace("labels: []", "labels: [a]")

    found = merged(*bytes_of("", BASE, theirs))

    header = Header.of(found.content.decode())
    assert found.conflicts == ("priority",)
    assert header.values()["labels"] == ["a"]
    assert header.conflicts() == ["priority: high (theirs)"]
    assert split_issues(header.text()) is None


def test_a_header_that_cannot_be_read_is_merged_as_git_would() -> None:
    ours, theirs = (
        BASE.replace("title: First", "title: [ours"),
        BASE.replace("title: First", "title: [theirs"),
    )

    found = merged(*bytes_of(BASE, ours, theirs))

    marked = "<<<<<<< ours\ntitle: [ours\n=======\ntitle: [theirs\n>>>>>>> theirs"
    assert found.content.decode() == BASE.replace("title: First", marked)
    assert found.conflicts == ("body",)


def test_files_that_are_not_utf_8_are_merged_byte_for_byte() -> None:
    base = BASE.encode() + b"Caf\xe9\n"
    theirs = base.replace(b"One.", b"\xff.")

    assert merged(base, base.replace(b"low", b"high"), theirs).content == theirs.replace(b"low", b"high")


def test_a_file_without_a_conflict_block_is_not_split() -> None:
    assert split_issues(BASE) is None
    assert split_issues(BASE + "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n") is None


lines = st.lists(st.sampled_from(["a", "b", "# c", "---", "id: 1", "x: [", "x: 2 # d", "", "\r"]), max_size=6)
texts = st.one_of(lines.map("\n".join), lines.map(lambda found: "---\n" + "\n".join(found) + "\n---\nbody\n"))


@settings(deadline=None)
@given(texts, texts, texts)
def test_every_new_line_of_both_sides_is_in_the_result_for_any_files(
    base: str, ours: str, theirs: str
) -> None:
    found = merged(*bytes_of(base, ours, theirs))

    text = found.content.decode()
    old = {line.strip() for line in base.splitlines()}
    for side in (ours, theirs):
        body = Header.of(side).body if not Header.of(side).is_broken else side
        new = {line.strip() for line in body.splitlines()} - old
        assert all(line in text for line in new)


def run(at: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "laconic", "issues", "merge", *words]
    return subprocess.run(command, cwd=at, capture_output=True, text=True)


def three(folder: Path, ours: str, theirs: str) -> list[str]:
    for name, text in (("base", BASE), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_text(text, encoding="utf-8")
    return ["base", "ours", "theirs"]


def test_the_exit_status_tells_whether_conflicts_are_left(tmp_path: Path) -> None:
    high, low, closed = (
        BASE.replace("priority: low", f"priority: {word}") for word in ("high", "mid", "low")
    )
    closed = closed.replace("status: open", "status: closed")

    clean = run(tmp_path, *three(tmp_path, high, closed), "issues/a.md")
    result = (tmp_path / "ours").read_text(encoding="utf-8")
    clash = run(tmp_path, *three(tmp_path, high, low), "issues/a.md")

    assert (clean.returncode, clean.stdout, clean.stderr) == (0, "", "")
    assert "priority: high" in result and "status: closed" in result
    assert (clash.returncode, clash.stdout) == (1, "")
    assert clash.stderr == "issues/a.md: both sides changed priority.\n"


@pytest.mark.parametrize("words", [[], ["base", "ours", "nowhere"], ["a", "b", "c", "d", "e"]])
def test_wrong_arguments_change_nothing_and_are_not_a_conflict(tmp_path: Path, words: list[str]) -> None:
    three(tmp_path, BASE, OTHER)

    done = run(tmp_path, *words)

    assert done.returncode > 128
    assert "Traceback" not in done.stderr
    assert (tmp_path / "ours").read_text(encoding="utf-8") == BASE


def test_git_runs_nothing_of_the_work_tree(tmp_path: Path) -> None:
    """The driver runs in the top folder: a module there must not be imported instead of ours."""
    (tmp_path / "yaml.py").write_text("open('owned', 'w')", encoding="utf-8")
    (tmp_path / "laconic").mkdir()
    (tmp_path / "laconic/__init__.py").write_text("open('owned', 'w')", encoding="utf-8")

    assert run(tmp_path, *three(tmp_path, BASE.replace("low", "mid"), OTHER)).returncode == 0
    assert not (tmp_path / "owned").exists()


def test_the_command_imports_little(tmp_path: Path) -> None:
    words = three(tmp_path, BASE.replace("priority: low", "priority: mid"), OTHER)
    code = "import sys; from laconic.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    command = [sys.executable, "-P", "-c", code, "issues", "merge", *words]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)

    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded.isdisjoint({"pydantic", "typer", "rich", "mcp", "asyncio"})
