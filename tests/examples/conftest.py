"""A workspace for the examples: a small git repository with two branches, made by the real program."""

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.templates import copy_of

WHO = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{role}_NAME": "Ann" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "ann@example.org" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_DATE": "2026-01-02T09:00:00Z" for role in ("AUTHOR", "COMMITTER")},
}


def names(folder: Path) -> list[str]:
    """Return the names in a folder."""
    return sorted(path.name for path in folder.iterdir())


def git(folder: Path, *words: str) -> None:
    """Run git as Ann on a certain day, independent of this machine's configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", "-C", folder, *words], env=kept | WHO, check=True, capture_output=True, timeout=30)


def make_repository(folder: Path) -> None:
    """Start a guide on main, and add a line to it on my-change."""
    copy_of(_repository, folder)


def _repository(folder: Path) -> None:
    guide = folder / "guide.md"
    git(folder, "init", "-b", "main")
    guide.write_text("# Guide\n\nKeep watch.\n", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "Begin the guide")
    git(folder, "checkout", "-b", "my-change")
    guide.write_text("# Guide\n\nKeep watch.\nReef early.\n", encoding="utf-8")
    git(folder, "commit", "-a", "-m", "Say when to reef")
    git(folder, "checkout", "main")


class StandIn:
    """A program in place of another, which reports its process."""

    def __init__(self, program: Path, script: str) -> None:
        self._number = program.with_suffix(".number")
        note = f"echo $$ > '{self._number}.part' && mv '{self._number}.part' '{self._number}'"
        program.write_text(f"#!/bin/sh\n{note}\n{script}\n", encoding="utf-8")
        program.chmod(0o755)

    async def started(self) -> None:
        await until(self._number.exists)

    async def ended(self) -> None:
        number = int(self._number.read_text(encoding="utf-8"))
        await until(lambda: not is_running(number))


MakeStandIn = Callable[[str, str], StandIn]


async def until(holds: Callable[[], bool]) -> None:
    """Wait for another process, with a time limit."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110  # what it waits for is not in this process
            await asyncio.sleep(0.01)


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeStandIn:
    """Put a shell script in place of a program."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return lambda name, script: StandIn(folder / name, script)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty folder for files."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def repository(workspace: Path) -> Path:
    """A git repository: a guide on main, and one more line in it on my-change."""
    make_repository(workspace)
    return workspace
