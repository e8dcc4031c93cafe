"""The work trees of a repository, read from git's own files: git is not run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from laconic.data import dataclass
from laconic.stores.locks import git_place, git_worktrees

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LONGEST: Final = 4096  # bytes of HEAD or a branch


@dataclass(frozen=True)
class WorkTree:
    """A folder in which a branch of the repository is checked out."""

    top: Path
    common: Path  # the folder that all work trees of the repository share
    own: Path  # the folder with what git keeps about this one
    made: int = 0  # distinguishes it from an earlier one of its name

    @property
    def name(self) -> str:
        """What git calls it, wherever it is moved; empty for the main one."""
        return "" if self.own == self.common else self.own.name

    @property
    def words(self) -> str:
        """What people call it."""
        return f"worktree {self.top.name}" if self.name else "the main worktree"

    @property
    def branch(self) -> str:
        """The branch that is checked out; empty if it is none."""
        kind, _, name = _line(self.own / "HEAD").partition("refs/heads/")
        return name if kind.startswith("ref:") else ""

    @property
    def commit(self) -> str:
        """The commit that is checked out; empty if it cannot be told without git."""
        said = _line(self.own / "HEAD")
        name = said.removeprefix("ref:").strip()
        if name != said:
            said = _line(self.common / name) or self._packed(name)
        return said if _COMMIT.fullmatch(said) else ""

    def _packed(self, name: str) -> str:
        for line in _text(self.common / "packed-refs").splitlines():
            commit, _, packed = line.partition(" ")
            if packed == name:
                return commit
        return ""


def work_tree(path: Path) -> WorkTree | None:
    """Find the work tree around a folder; None outside a repository."""
    found = git_place(path)
    return WorkTree(found.top, found.common, found.own, _made(found.own)) if found else None


def other_trees(here: WorkTree) -> Iterator[WorkTree]:
    """Return the other work trees of a repository that exist and belong to it."""
    for top in git_worktrees(here.common):
        found = work_tree(top) if top != here.top else None
        if found is not None and (found.top, found.common) == (top, here.common):
            yield found


def beside(workspace: Path) -> Iterator[tuple[WorkTree, Path]]:
    """Return the other work trees that contain a workspace, and where; its path must be without links."""
    here = work_tree(workspace)
    if here is None:
        return
    inside = workspace.relative_to(here.top)
    for tree in other_trees(here):
        if (tree.top / inside).is_dir():
            yield tree, tree.top / inside


def _made(own: Path) -> int:
    """Return when git made the work tree: it writes this file once."""
    try:
        return (own / "commondir").stat().st_mtime_ns
    except OSError:
        return 0


def _line(path: Path) -> str:
    return _text(path, _LONGEST).strip()


def _text(path: Path, most: int = -1) -> str:
    try:
        if not path.is_file():  # a pipe would keep us waiting
            return ""
        with path.open(encoding="utf-8", errors="surrogateescape") as file:
            return file.read(most)
    except OSError:
        return ""
