"""Asking git: short questions and settings that fetch nothing and take no optional locks."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.servers.issues.git.environment import git_environment

_PATIENCE: Final = 10.0  # seconds


def ask_git(folder: Path, *words: str, given: str = "", patience: float = _PATIENCE) -> str | None:
    """Run git and return its output; None if it cannot be run, fails, or takes too long."""
    environment = git_environment(GIT_OPTIONAL_LOCKS="0", GIT_ALLOW_PROTOCOL="none", GIT_NO_LAZY_FETCH="1")
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            ["git", "--no-pager", *words],
            cwd=folder,
            env=environment,
            input=given.encode(errors="surrogateescape"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=patience,
            check=False,
        )
        return done.stdout.decode(errors="surrogateescape") if done.returncode == 0 else None
    return None
