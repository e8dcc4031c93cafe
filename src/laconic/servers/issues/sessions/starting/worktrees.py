"""Worktrees of sessions: named after their specification, created, hidden from git status, removed."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.data import dataclass
from laconic.servers.issues.git.running import run_git
from laconic.servers.issues.places import TREES

_LONGEST: Final = 50  # characters of a name


@dataclass(frozen=True)
class Worktree:
    """Where a session works: its own worktree, or the folder itself and why there is no worktree."""

    folder: Path  # where it was requested
    path: Path
    branch: str = "current"
    error: str = ""

    async def remove(self) -> None:
        """Remove the worktree and its branch; nothing if the session works in the folder itself."""
        if self.path == self.folder:
            return
        await run_git(self.folder, "worktree", "remove", "--force", str(self.path))
        shutil.rmtree(self.path, ignore_errors=True)
        await run_git(self.folder, "branch", "-D", self.branch)
        with suppress(OSError):
            self.path.parent.rmdir()


def worktree_name(spec: str) -> str:
    """Return the name of a worktree: that of the specification, without its number."""
    stem = re.sub(r"^(SPEC-\d+-|spec-)", "", Path(spec).name.removesuffix(".md"))
    plain = re.sub(r"[^a-z0-9_\s-]", "", stem.lower())
    return re.sub(r"[\s_-]+", "-", plain).strip("-")[:_LONGEST].strip("-") or "implementation"


async def add_worktree(root: Path, folder: Path, name: str, session_id: str) -> Worktree:
    """Create a worktree below a folder of the workspace; if that fails, nothing is left behind."""
    path = _claim(root, folder / TREES, name, session_id[-4:])
    if isinstance(path, str):
        return Worktree(folder, folder, error=path)
    tree = Worktree(folder, path, f"wrangler/{name}/{session_id}")
    try:
        code, said = await run_git(
            folder, "worktree", "add", "--quiet", "--force", "-b", tree.branch, str(path)
        )
    except asyncio.CancelledError:
        await tree.remove()
        raise
    if code != 0:
        await tree.remove()
        return Worktree(folder, folder, error=_reason(said))
    await _hide(folder, path.parent)
    return tree


def _claim(root: Path, home: Path, name: str, suffix: str) -> Path | str:
    """Create an empty folder for this session alone, or return why that is not possible."""
    if not Path(os.path.realpath(home)).is_relative_to(root):
        return f"{TREES} leads out of the workspace"
    for path in (home / name, home / f"{name}-{suffix}"):
        try:
            path.mkdir(parents=True)
            return path
        except FileExistsError:
            continue
        except OSError as error:
            return f"{TREES}: {error.strerror}"
    return f"{TREES}/{name} is taken"


async def _hide(folder: Path, home: Path) -> None:
    """Hide the worktrees from `git status`, unless they are ignored already."""
    code, _ = await run_git(folder, "check-ignore", "--quiet", str(home / "any"))
    if code == 1:
        with suppress(OSError), (home / ".gitignore").open("x", encoding="utf-8") as file:
            file.write("*\n")


def _reason(said: str) -> str:
    """Return git's error message on one line, without absolute paths."""
    lines = [line for line in said.splitlines() if line.strip()]
    fatal = [place for place, line in enumerate(lines) if line.startswith("fatal: ")]
    words = lines[fatal[-1] :] if fatal else lines[-1:]
    last = " ".join(words).removeprefix("fatal: ") or "git gave no reason"
    if re.search(r": '?HEAD'?$", last):
        return "the repository has no commit"
    last = re.sub(r" \(or any [^)]*\).*", "", last)  # how far git looked: all folders above, or up to a mount
    return re.sub(r"/(?:[^\s'/]+/)+([^\s'/]+)", r"\1", last).rstrip(".")
