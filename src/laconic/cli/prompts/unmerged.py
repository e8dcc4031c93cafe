"""Files that git has not merged yet: each has the texts of two people, with marks between them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from laconic.servers.issues.git.asking import ask_git

__all__ = ["unmerged_in"]

# a repository may name a program that git starts to see what changed
_QUESTION: Final = ("-c", "core.fsmonitor=false", "ls-files", "--unmerged", "-z", "--", ".")


def unmerged_in(folder: Path) -> set[str]:
    """Return the names of files in a folder that have conflicts; none without git or a repository."""
    said = ask_git(folder, *_QUESTION) or ""
    return {line.partition("\t")[2] for line in said.split("\0") if line}
