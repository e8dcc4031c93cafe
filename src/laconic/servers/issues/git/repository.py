"""Repository: what git knows of a workspace, asked without changing or fetching anything."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

_PATIENCE: Final = 10.0  # seconds


def ask_git(folder: Path, *words: str, given: str = "", patience: float = _PATIENCE) -> str | None:
    """Run git and return what it said; None if it cannot be run, fails, or takes too long."""
    # what a hook or an alias has set is about the repository that it ran in, not about this folder
    kept = {name: value for name, value in os.environ.items() if _is_about_us(name)}
    quiet = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
    quiet |= {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            ["git", "--no-pager", *words],
            cwd=folder,
            env={**kept, **quiet},
            input=given.encode(errors="surrogateescape"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=patience,
            check=False,
        )
        return done.stdout.decode(errors="surrogateescape") if done.returncode == 0 else None
    return None


def _is_about_us(name: str) -> bool:
    return not name.startswith("GIT_") or name.startswith("GIT_CONFIG") or name == "GIT_EXEC_PATH"
