"""The journal of calls: one for all processes and work trees of a repository, outside of them."""

import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from laconic.stores import Reader
from tests.process.speaking import CLIENT, ERAS, PATIENCE, listening, run, serving


@pytest.fixture
def repository(workspace: Path) -> Path:
    """A workspace that is a repository with one commit."""
    git(workspace, "init", "-q", "-b", "main")
    git(workspace, "commit", "-q", "--allow-empty", "-m", "first")
    return workspace


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def records(workspace: Path, count: int) -> list[dict[str, Any]]:
    """Everything in the one journal of this home, which gets this many records."""
    until = time.monotonic() + PATIENCE
    while True:
        folders = [*(workspace.parent / "home" / "state").glob("laconic/*/journal")]
        found = [record for folder in folders for record in Reader(folder).read()]
        if len(folders) == 1 and len(found) >= count:
            return found
        assert time.monotonic() < until, found
        time.sleep(0.01)


@pytest.mark.parametrize("era", ERAS)
def test_a_write_is_recorded_with_its_process_client_place_and_changed_fields(
    repository: Path, era: str
) -> None:
    with serving("issues", folder=repository, era=era) as server:
        server.call("issues_create", title="A secret plan", description="Words of mine.", labels=["ui"])
        server.call("issues_update", id="ISS-000001", status="closed", description="Other words.")
        made, changed = records(repository, 2)
        pid = server.process.pid

    assert made["changed"]["ISS-000001"]["labels"] == [None, ["ui"]]
    assert (changed["tool"], changed["effect"], changed["outcome"]) == ("issues_update", "update", "success")
    assert changed["changed"] == {"ISS-000001": {"status": ["open", "closed"], "description": None}}
    assert (changed["ids"], changed["client"], changed["pid"]) == (["ISS-000001"], CLIENT["name"], pid)
    assert (changed["tree"], changed["branch"]) == (str(repository), "main")
    assert changed["ms"] > 0 and changed["in"] > 0 and changed["out"] > 0
    assert "plan" not in str([made, changed]) and "words" not in str([made, changed])


def test_what_changed_in_the_library_is_recorded_by_id_without_a_word_of_it(workspace: Path) -> None:
    with serving("prompts", "notes", folder=workspace) as server:
        server.call("create_prompt", name="list", content="Secret words.")
        server.call("edit_prompt_template", name="list", old_str="words", new_str="verbs")
        server.call("create_note", title="Mine", content="Secret, too.")
        server.call("search_items", query="secret")
        made, changed, noted = records(workspace, 3)[:3]

    (prompt,), (note,) = made["ids"], noted["ids"]
    assert made["changed"][prompt]["version"] == [None, 1]
    assert changed["changed"] == {prompt: {"version": [1, 2], "body": None}}
    assert noted["changed"][note] == {"version": [None, 1], "body": None, "title": None}
    assert "secret" not in str([made, changed, noted]).lower()


def test_work_trees_share_a_journal_which_names_their_branches(repository: Path) -> None:
    other = repository.parent / "other"
    git(repository, "worktree", "add", "-q", "-b", "feature", str(other))
    with serving("issues", folder=repository) as one, serving("issues", folder=other) as two:
        one.call("issues_create", title="One", description="x")
        records(repository, 1)
        two.call("issues_create", title="Two", description="x")
        records(repository, 2)
        git(other, "switch", "-q", "-c", "later")
        two.call("issues_create", title="Three", description="x")
        places = [(Path(record["tree"]).name, record["branch"]) for record in records(repository, 3)]

    assert places == [("project", "main"), ("other", "feature"), ("other", "later")]
    assert not [*repository.rglob("*.jsonl"), *other.rglob("*.jsonl")]


def test_reads_are_recorded_when_the_server_ends_at_the_latest(repository: Path) -> None:
    with serving("issues", folder=repository) as server:
        server.call("issues_list")
        server.call("issues_get", id="ISS-000009")
        assert server.hang_up() == 0

    found = [(record["tool"], record["outcome"], record.get("ids")) for record in records(repository, 2)]
    assert found == [("issues_list", "success", None), ("issues_get", "ISSUE_NOT_FOUND", ["ISS-000009"])]


def test_http_and_the_command_line_write_the_same_journal(workspace: Path) -> None:
    with listening(folder=workspace) as server:
        server.call("memo_create", name="one", title="One", body="x")
        records(workspace, 1)
        assert run("call", "memo_get", "name=one", folder=workspace).returncode == 0

        assert [record["tool"] for record in records(workspace, 2)] == ["memo_create", "memo_get"]
        assert records(workspace, 2)[0]["client"] == CLIENT["name"]


def test_calls_go_on_with_one_warning_while_it_cannot_be_written_and_are_recorded_again_after_that(
    workspace: Path,
) -> None:
    with serving("example", folder=workspace) as server:
        server.call("memo_create", name="one", title="One", body="x")
        records(workspace, 1)
        (folder,) = (workspace.parent / "home" / "state").glob("laconic/*/journal")
        shutil.rmtree(folder)
        folder.write_text("in the way", encoding="utf-8")
        until = time.monotonic() + PATIENCE
        while "without a record" not in server.stderr:
            assert "One" in server.call("memo_get", name="one")
            assert time.monotonic() < until
        for _ in range(40):  # more than wait for one write
            assert "One" in server.call("memo_get", name="one")
        folder.unlink()
        server.call("memo_create", name="two", title="Two", body="x")
        until = time.monotonic() + PATIENCE
        while not folder.is_dir() or "memo_create" not in [one["tool"] for one in Reader(folder).read()]:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert server.stderr.count("without a record") == 1


@pytest.mark.parametrize("choice, kept", [("writes", ["memo_create"]), ("off", None)])
def test_it_can_be_limited_to_writes_or_switched_off(
    workspace: Path, choice: str, kept: list[str] | None
) -> None:
    with serving("--journal", choice, folder=workspace) as server:
        server.call("memo_create", name="one", title="One", body="x")
        server.call("memo_list")
        server.hang_up()
    if kept is None:
        assert not [*workspace.parent.rglob("journal")]
    else:
        assert [record["tool"] for record in records(workspace, 1)] == kept
