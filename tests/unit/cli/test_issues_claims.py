"""`laconic issues` in several work trees of a clone: claims are seen, released and taken over."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from laconic.cli.main import main
from laconic.servers.issues.sessions.service import Sessions
from tests.unit.issues.clones import Clone
from tests.unit.issues.trees import make_trees

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def laconic(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs the command in a work tree, and returns its status, stdout and stderr."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.delenv("LACONIC_WORKSPACE", raising=False)

    def run(tree: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.chdir(tmp_path / tree)
        status = main(["issues", *words])
        said = capfd.readouterr()
        return status, said.out, said.err

    return run


def test_commands_show_who_holds_what_and_where(laconic: Command, tmp_path: Path) -> None:
    make_trees(tmp_path, "login")
    laconic("login", "claim", "1", "--as", "ada")
    status, _, refused = laconic("main", "claim", "1", "--as", "bob")

    assert status == 1
    assert "Issue ISS-000001 is held by ada in worktree login. laconic issues ready lists" in refused
    for command in ("list", "board"):
        assert "\tada in worktree login" in laconic("main", command)[1]
    assert "ISS-000001" not in laconic("main", "ready")[1]
    data = json.loads(laconic("main", "show", "1", "--json")[1])
    assert (data["held"], data["elsewhere"]) == (
        "held by ada in worktree login",
        ["in worktree login: in_progress"],
    )
    assert "held by ada in worktree login\n" in laconic("main", "show", "1")[2]


def test_a_claim_is_released_from_anywhere_and_files_of_others_stay(laconic: Command, tmp_path: Path) -> None:
    _, login = make_trees(tmp_path, "login")
    laconic("login", "claim", "1", "--as", "ada")
    laconic("login", "claim", "2", "--as", "ada")

    said = laconic("main", "claim", "1", "--release")
    assert said == (0, "ISS-000001 is free; its file in worktree login stays as it is.\n", "")
    assert "assignee: ada" in next(login.rglob("ISS-000001-*.md")).read_text(encoding="utf-8")
    assert laconic("main", "claim", "1", "--as", "bob")[0] == 0

    assert laconic("login", "claim", "2", "--release")[1] == "ISS-000002 is free.\n"
    assert "\topen\t" in laconic("login", "list", "--search", "Second")[1]
    assert laconic("login", "claim", "2", "--release")[1] == "Nobody holds ISS-000002.\n"


def test_a_claim_is_taken_over_when_asked_for(laconic: Command, tmp_path: Path) -> None:
    make_trees(tmp_path, "login")
    laconic("login", "claim", "1", "--as", "ada")

    assert laconic("main", "claim", "1", "--as", "bob", "--take-over")[0] == 0
    assert "\tbob in the main worktree\t" in laconic("login", "list")[1]


def test_people_answer_the_questions_of_agents_in_any_work_tree(laconic: Command, tmp_path: Path) -> None:
    _, login_at = make_trees(tmp_path, "login")
    spec = Clone(login_at).create("Login", type="specification")
    sessions = Sessions(login_at)
    id = asyncio.run(sessions.start(spec.id)).session_id
    nothing = laconic("main", "answer")
    sessions.phase(id, "plan", "paused", None, "Which one?")
    listed = laconic("main", "answer")
    unknown = laconic("main", "answer", "nobody", "Yes.")
    empty = laconic("main", "answer", id, " ")
    done = laconic("main", "answer", id[-4:], "The first.")
    late = laconic("login", "answer", id, "The second.")

    assert (nothing[0], nothing[1], nothing[2]) == (0, "", "No agent waits for an answer.\n")
    assert listed[1] == f"{id}  Which one?\n"
    assert unknown[0] == 1 and "Session nobody not found. laconic issues answer lists" in unknown[2]
    assert empty[0] == 2 and "There is no answer." in empty[2]
    assert done == (0, f"Answered {id}: Which one?\n", "")
    assert late[0] == 1 and "has no open question. laconic issues answer lists" in late[2]
    assert "Answer: The first." in sessions.get(id).write_text(None)
