"""Earlier versions to compare with: the commit of each, and a checkout of it with its own .venv."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmarks.programs import PRESENT, ROOT, Tree

__all__ = ["VERSIONS", "Unavailable", "checkout"]

VERSIONS: Final = {"0.1.0": "1ac73e59d7112484f9da6e62a45ba25a5e5f7f94"}


class Unavailable(Exception):
    """The commit of a version, or its checkout, cannot be used; the message says what to do."""


def checkout(version: str, root: Path = ROOT, versions: Mapping[str, str] = VERSIONS) -> Tree:
    """Prepare `.cache/baseline-<commit>`; returns at once if it is ready.

    Raises:
        Unavailable: the history lacks the commit, or the checkout was changed by hand.
    """
    commit = versions[version]
    folder = root / ".cache" / f"baseline-{commit[:7]}"
    if _git(root, "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}") is None:
        raise Unavailable(
            f"Version {version} is commit {commit[:7]}, which is not in the history here: "
            "use a full clone (`git fetch --unshallow` completes a shallow one)."
        )
    if not folder.exists():
        # forced: git still lists a worktree whose folder was deleted
        _git(root, "worktree", "add", "--force", "--quiet", "--detach", str(folder), commit)
    if _git(folder, "rev-parse", "HEAD") != commit or _git(folder, "status", "--porcelain") != "":
        raise Unavailable(
            f"{folder.relative_to(root)} is not version {version} as committed: delete it and try again."
        )
    return Tree(version, folder, _installed(folder))


def _installed(folder: Path) -> Path:
    """Install the version's own pins, with the Python that runs the present version."""
    python = folder / ".venv" / "bin" / "python"
    base = PRESENT.python.resolve()
    if python.resolve() != base:
        shutil.rmtree(folder / ".venv", ignore_errors=True)
    subprocess.run([base, "scripts/install.py", "--dev"], cwd=folder, check=True)
    return python


def _git(folder: Path, *words: str) -> str | None:
    """What git prints; None if it fails."""
    # a hook that calls us has set variables that name another repository
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(folder), *words]
    done = subprocess.run(command, env=environ, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None
