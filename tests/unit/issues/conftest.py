"""Workspaces for the tests of the issues' files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from laconic.servers.issues.store import IssueStore
from tests.unit.issues.clones import Clone, git

Open = Callable[..., IssueStore]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty workspace."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def open_store(root: Path, tmp_path: Path) -> Open:
    """Opens the workspace like a new process: with empty memory, and the cache on disk."""

    def opened(at: Path = root, **options: object) -> IssueStore:
        return IssueStore(at, **{"cache": tmp_path / "cache", "environ": {}, **options})  # type: ignore[arg-type]  # passed on

    return opened


@pytest.fixture
def store(open_store: Open) -> IssueStore:
    """A store on the empty workspace."""
    return open_store()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A repository with one issue."""
    git(tmp_path, "init", "--quiet", "work")
    clone = Clone(tmp_path / "work")
    clone.create("First")
    clone.commit()
    return clone
