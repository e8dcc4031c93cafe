"""Folders that git ignores: what is in them is neither committed nor in any other work tree."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from laconic.servers.issues.git.asking import ask_git

_ANY = "ISS-000000-any.md"


def ignored(root: Path, folders: Iterable[str]) -> list[str]:
    """Return the folders in which git would ignore an issue; none outside a repository."""
    known = {f"{folder}/{_ANY}": folder for folder in folders}
    said = ask_git(root, "check-ignore", "-z", "--stdin", given="\0".join(known))
    return [known[path] for path in (said or "").split("\0") if path in known]


def ignored_words(folders: Iterable[str]) -> str:
    """Say so in a sentence."""
    return f"git ignores {', '.join(folders)}: what is there is neither committed nor in other worktrees."
