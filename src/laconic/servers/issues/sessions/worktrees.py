"""Worktrees of sessions: named after their specification, made, hidden from git status, taken away."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from laconic.servers.issues.git.running import run_git

HOME: Final = ".worktrees"
_LONGEST: Final = 50  # characters of a name


@dataclass(frozen=True)
class Worktree:
    """Where a session works: a worktree of its own, or the folder itself and the reason for it."""

    folder: Path  # the one it was asked for in
    path: Path
    branch: str = "current"
    error: str = ""

    async def remove(self) -> None:
        """Leave nothing of it; a folder that is not its own stays."""
        if self.path == self.folder:
            return
        await run_git(self.folder, "worktree", "remove", "--force", str(self.path))
        shutil.rmtree(self.path, ignore_errors=True)
        await run_git(self.folder, "branch", "-D", self.branch)
        with suppress(OSError):
            self.path.parent.rmdir()


def worktree_name(spec: str) -> str:
    """The name of a worktree: that of the specification, without its number."""
    stem = re.sub(r"^(SPEC-\d+-|spec-)", "", Path(spec).name.removesuffix(".md"))
    plain = re.sub(r"[^a-z0-9_\s-]", "", stem.lower())
    return re.sub(r"[\s_-]+", "-", plain).strip("-")[:_LONGEST].strip("-") or "implementation"


async def add_worktree(root: Path, folder: Path, name: str, session_id: str) -> Worktree:
    """Make a worktree below a folder of the workspace; where that fails, nothing of it stays."""
    path = _claim(root, folder / HOME, name, session_id[-4:])
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
    """Make an empty folder that no other session has, or say why there can be none."""
    if not Path(os.path.realpath(home)).is_relative_to(root):
        return f"{HOME} leads out of the workspace"
    for path in (home / name, home / f"{name}-{suffix}"):
        try:
            path.mkdir(parents=True)
            return path
        except FileExistsError:
            continue
        except OSError as error:
            return f"{HOME}: {error.strerror}"
    return f"{HOME}/{name} is taken"


async def _hide(folder: Path, home: Path) -> None:
    """Keep the worktrees out of `git status`, unless the user has seen to it."""
    code, _ = await run_git(folder, "check-ignore", "--quiet", str(home / "any"))
    if code == 1:
        with suppress(OSError), (home / ".gitignore").open("x", encoding="utf-8") as file:
            file.write("*\n")


def _reason(said: str) -> str:
    """What git said was wrong, on one line and without the paths of this machine."""
    lines = [line for line in said.splitlines() if line.strip()]
    fatal = [place for place, line in enumerate(lines) if line.startswith("fatal: ")]
    words = lines[fatal[-1] :] if fatal else lines[-1:]
    last = " ".join(words).removeprefix("fatal: ") or "git gave no reason"
    if re.search(r": '?HEAD'?$", last):
        return "the repository has no commit"
    last = re.sub(r" \(or any .*\)(: \.git)?$", "", last)
    return re.sub(r"/(?:[^\s'/]+/)+([^\s'/]+)", r"\1", last).rstrip(".")
