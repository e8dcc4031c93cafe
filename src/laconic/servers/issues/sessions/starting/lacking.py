"""What a new worktree lacks: it is made from the last commit, so what is not committed is not in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from laconic.data import dataclass
from laconic.kit import Conflict, Failure
from laconic.servers.issues.git.running import run_git
from laconic.servers.issues.places import TREES
from laconic.stores import StoreDown
from laconic.stores.durable import write_over
from laconic.stores.locks import git_top

_STATUS: Final = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")


@dataclass(frozen=True)
class Destination:
    """The specification of a session, and its place in the session's worktree."""

    spec: Path
    tree: Path

    @property
    def place(self) -> Path | None:
        """Where it is in the worktree; None if it is not of the same repository."""
        top = git_top(self.spec.parent)
        if top is None or git_top(self.tree) != self.tree:
            return None
        return self.tree / self.spec.relative_to(top)

    @property
    def names(self) -> tuple[str, ...]:
        """How git names it."""
        top = git_top(self.spec.parent)
        return (self.spec.relative_to(top).as_posix(),) if top else ()

    def is_there(self) -> bool:
        """True if the worktree has the same text."""
        try:
            return self.place is not None and self.place.read_bytes() == self.spec.read_bytes()
        except OSError:
            return False

    async def bring(self) -> None:
        """Copy the specification into the worktree.

        Raises:
            Conflict: it was changed there.
            Failure: it cannot be copied.
        """
        place = self.place
        if place is None or not _is_in(place, self.tree):
            raise Failure("The specification has no place in the worktree.", advice="Copy it by hand.")
        if place.exists() and not self.is_there():
            code, said = await run_git(self.tree, *_STATUS, "--", str(place))
            if code != 0 or said:
                words = "The specification was changed in the worktree as well."
                raise Conflict(words, advice="Merge the two by hand.")
        try:
            content = self.spec.read_bytes()
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreDown(f"The specification cannot be copied: {error.strerror}.") from error
        write_over(place, content)


async def uncommitted(folder: Path, sessions: str) -> list[str]:
    """Return the files around a folder that are new or changed since the last commit; not of sessions."""
    code, said = await run_git(folder, *_STATUS)
    top = git_top(folder)
    if code != 0 or top is None:
        return []
    lines = [line for line in said.split("\0") if len(line) > 3 and "D" not in line[:2]]
    return sorted(line[3:] for line in lines if not _is_below(line[3:], (TREES, sessions)))


def _is_below(path: str, folders: tuple[str, ...]) -> bool:
    return any(f"/{folder}/" in f"/{path}" for folder in folders)


def _is_in(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(folder)
