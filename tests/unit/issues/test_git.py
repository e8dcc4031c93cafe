"""Running git: it works in the right folder, also when a hook of another repository runs us."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from laconic.servers.issues.git.asking import ask_git
from laconic.servers.issues.git.environment import git_environment
from laconic.servers.issues.git.running import run_git
from tests.unit.issues.clones import Clone, git

Run = Callable[..., str | None]


def run_and_wait(folder: Path, *words: str) -> str | None:
    code, said = asyncio.run(run_git(folder, *words))
    return said if code == 0 else None


@pytest.fixture(params=[ask_git, run_and_wait], ids=["asking", "running"])
def run(request: pytest.FixtureRequest) -> Run:
    """Each way to run git."""
    found: Run = request.param
    return found


@pytest.fixture
def other(tmp_path: Path, clone: Clone, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another repository whose hook runs us; the clone is made before the variables are set."""
    folder = tmp_path / f"other than {clone.root.name}"
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    (folder / "theirs.md").write_text("theirs", encoding="utf-8")
    git(folder, "add", ".")
    monkeypatch.setenv("GIT_DIR", str(folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(folder))
    monkeypatch.setenv("GIT_INDEX_FILE", str(folder / ".git/index"))
    return folder


@pytest.mark.usefixtures("other")
def test_variables_of_a_hook_do_not_lead_to_another_repository(clone: Clone, run: Run) -> None:
    assert (run(clone.root, "rev-parse", "--show-toplevel") or "").strip() == str(clone.root)


def test_the_index_of_a_hook_is_neither_read_nor_written(clone: Clone, other: Path, run: Run) -> None:
    before = (other / ".git/index").read_bytes()

    assert "theirs.md" not in (run(clone.root, "ls-files", "--cached") or "theirs.md")
    run(clone.root, "rm", "-r", "--cached", "--quiet", ".")

    assert (run(clone.root, "ls-files", "--cached"), (other / ".git/index").read_bytes()) == ("", before)


def test_everything_that_git_calls_local_to_a_repository_is_dropped_but_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ["git", "rev-parse", "--local-env-vars"]
    local = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    for name in local:
        monkeypatch.setenv(name, "0")

    kept = {name for name in local if name in git_environment()}

    assert "GIT_DIR" in local
    assert kept == {name for name in local if name.startswith("GIT_CONFIG")}


def test_a_trace_does_not_mix_with_the_output(
    clone: Clone, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TRACE", "1")

    assert len((run(clone.root, "rev-parse", "HEAD") or "").split()) == 1


def test_variables_that_the_user_set_for_git_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -i key")

    assert git_environment()["GIT_SSH_COMMAND"] == "ssh -i key"
