"""An earlier version beside the present one: its commit, its checkout, and what a comparison reports."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree
from time import perf_counter

import pytest
from anyio import run_process

from benchmarks.baseline import VERSIONS, Unavailable, checkout
from benchmarks.beside.comparison import BYTES, RATE, Figure, Round, compared, told

ROOT = Path(__file__).resolve().parent.parent
TIME, SIZE = Figure("a start"), Figure("its memory", BYTES)
INSTALL = """
import sys
from pathlib import Path
python = Path(".venv", "bin", "python")
python.parent.mkdir(parents=True, exist_ok=True)
python.exists() or python.symlink_to(sys.executable)
with Path("..", "installs").open("a", encoding="utf-8") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
"""


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    environ = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(["git", *who, *words], cwd=folder, env=environ, capture_output=True, text=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of two commits; the first has a file that the second lacks."""
    folder = tmp_path / "project"
    scripts = folder / "scripts"
    scripts.mkdir(parents=True)
    (scripts / "install.py").write_text(INSTALL, encoding="utf-8")
    (folder / ".gitignore").write_text("/.cache/\n/.venv/\n", encoding="utf-8")
    (folder / "early").write_text("here\n", encoding="utf-8")
    git(folder, "init", "--quiet")
    for message in ("first", "second"):
        git(folder, "add", "--all")
        assert git(folder, "commit", "--quiet", "--message", message).returncode == 0
        (folder / "early").unlink(missing_ok=True)
    return folder


def first(project: Path) -> dict[str, str]:
    return {"0.0.1": git(project, "rev-list", "--max-parents=0", "HEAD").stdout.strip()}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_to_compare_with_is_a_commit_before_this_one(version: str) -> None:
    if git(ROOT, "cat-file", "-e", VERSIONS[version]).returncode:
        pytest.skip("this copy of the repository does not have its history")

    assert git(ROOT, "merge-base", "--is-ancestor", VERSIONS[version], "HEAD").returncode == 0
    found = git(ROOT, "show", f"{VERSIONS[version]}:src/laconic/__init__.py").stdout
    assert f'__version__ = "{version}"' in found


def test_a_checkout_is_made_once_and_again_when_it_was_deleted(project: Path) -> None:
    made = checkout("0.0.1", project, first(project))
    again = checkout("0.0.1", project, first(project))
    rmtree(made.root)
    third = checkout("0.0.1", project, first(project))

    assert made == again == third
    assert made.root == project / ".cache" / f"baseline-{first(project)['0.0.1'][:7]}"
    assert (made.root / "early").exists() and not (project / "early").exists()
    assert made.python.resolve() == Path(sys.executable).resolve()
    assert (project / ".cache" / "installs").read_text(encoding="utf-8") == "--dev\n" * 3


def test_a_checkout_by_another_python_is_installed_again(project: Path) -> None:
    made = checkout("0.0.1", project, first(project))
    made.python.unlink()
    made.python.symlink_to("/bin/sh")

    assert checkout("0.0.1", project, first(project)).python.resolve() == Path(sys.executable).resolve()


def test_a_checkout_that_was_changed_is_refused(project: Path) -> None:
    made = checkout("0.0.1", project, first(project))
    (made.root / "early").write_text("changed\n", encoding="utf-8")

    with pytest.raises(Unavailable, match=r"is not version 0\.0\.1 as committed: delete it and try again\.$"):
        checkout("0.0.1", project, first(project))


def test_a_history_without_the_commit_is_refused_in_one_sentence(project: Path) -> None:
    with pytest.raises(Unavailable, match=r"^Version 0\.1\.0 is commit 1ac73e5, which is not in the history"):
        checkout("0.1.0", project)


async def test_two_commands_take_turns_and_their_worst_round_is_told(tmp_path: Path) -> None:
    turns = tmp_path / "turns"

    def command(name: str, size: int) -> Round:
        async def run() -> Mapping[Figure, float]:
            began = perf_counter()
            await run_process([sys.executable, "-c", f"open({str(turns)!r}, 'a').write('{name} ')"])
            done = len(turns.read_text(encoding="utf-8").split())
            return {TIME: perf_counter() - began, SIZE: size * (10 if done == 5 else 1)}

        return run

    sides = {"present": {"a": command("new", 3)}, "0.1.0": {"a": command("old", 2)}}
    found = await compared(sides, rounds=3)
    result = told("start", "present", "0.1.0", found)

    assert turns.read_text(encoding="utf-8").split() == [
        "new",
        "old",
        "old",
        "new",
        "new",
        "old",
        "old",
        "new",
    ]
    assert [len(side.rounds) for sides in found.values() for side in sides.values()] == [3] * 4
    kept = result.figures["its memory"]
    assert kept["unit"] == "bytes" and kept["present"] == {"median": 3, "worst": 30, "rounds": [3, 30, 3]}
    assert (kept["0.1.0"]["worst"], kept["ratio"], kept["worst ratio"]) == (2, 1.5, 15)
    assert result.name == "beside-0.1.0-start"
    assert result.figures["a start"]["ratio"] > 0


def test_less_is_better_also_where_calls_per_second_are_shown() -> None:
    assert [RATE.words(seconds) for seconds in (0.001, 0.0005)] == ["1,000", "2,000"]
