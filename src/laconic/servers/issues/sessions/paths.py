"""Paths of a workspace: as callers give them, and as answers show them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from laconic.kit import Failure, NotFound, OutsideWorkspace
from laconic.servers.issues.git.worktrees import work_tree
from laconic.servers.issues.places import HOME
from laconic.text import did_you_mean, nearest


class WorkspacePaths:
    """Resolves paths inside one folder, and refuses any that lead out of it."""

    def __init__(self, root: Path, find: Callable[[str], Path] | None = None, home: str = HOME) -> None:
        self.root: Final = Path(os.path.realpath(root))
        self._find, self._home = find, home

    def inside(self, given: str, base: Path, field: str) -> Path:
        """Resolve a path relative to a folder, links followed.

        Raises:
            OutsideWorkspace: it leads out of the workspace.
        """
        found = Path(os.path.realpath(base / given))
        if not found.is_relative_to(self.root):
            raise OutsideWorkspace(f"{field} is outside the workspace.", field=field)
        return found

    def folder(self, given: str, field: str) -> Path:
        """Resolve the path of an existing folder."""
        found = self.inside(given, self.root, field)
        if not found.is_dir():
            raise _missing(
                f"{field} is not a folder: {self.shown(given)[:200]}.", field, "Pass one that exists."
            )
        return found

    def specification(self, given: str, base: Path) -> str:
        """Find a specification by path, file name or id; return its path relative to the workspace."""
        found = self.inside(given, base, "specFile")
        if _is_file(found):
            return self.shown(str(found))
        known = list((self.root / self._home / "specifications").rglob("*.md"))
        named = [path for path in known if _is_named(path, given)]
        if len(named) == 1:
            return self.shown(str(self.inside(str(named[0]), base, "specFile")))
        elsewhere = ""
        try:
            if self._find is not None:
                return self.shown(str(self.inside(str(self._find(given)), base, "specFile")))
        except NotFound as failure:
            elsewhere = failure.advice
        near = nearest(given, [self.shown(str(path)) for path in known])
        asked = did_you_mean(near, otherwise="Pass a path from the workspace, or an id.").lstrip()
        advice = elsewhere or asked
        raise _missing(f"Spec file not found: {self.shown(given)[:200]}.", "specFile", advice)

    def tree(self, path: str) -> str:
        """Return the path of a work tree as answers show it: relative also if it is beside this one."""
        there, here = work_tree(Path(path)) if Path(path).is_absolute() else None, work_tree(self.root)
        is_beside = there is not None and here is not None and there.common == here.common
        return os.path.relpath(path, self.root) if is_beside else self.shown(path)

    def shown(self, path: str) -> str:
        """Return a path as answers show it: relative to the workspace if it is inside."""
        given = Path(path)
        inside = given.is_absolute() and given.is_relative_to(self.root)
        return given.relative_to(self.root).as_posix() if inside else path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long
        return False


def _is_named(path: Path, given: str) -> bool:
    name = given.lower().removesuffix(".md")
    stem = path.stem.lower()
    return stem == name or stem.startswith(f"{name}-")


def _missing(words: str, field: str, advice: str) -> Failure:
    return Failure(
        words, code="FILE_NOT_FOUND", category="not_found", field=field, advice=advice, changed=False
    )
