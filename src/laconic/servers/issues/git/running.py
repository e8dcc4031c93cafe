"""Running git: commands that may take long, stopped when the call is cancelled."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from laconic.servers.issues.git.environment import git_environment

_GRACE: Final = 5.0  # seconds git has to stop


async def run_git(folder: Path, *words: str) -> tuple[int, str]:
    """Run git and return its exit code and output; when the call is cancelled, git is stopped."""
    try:
        process = await asyncio.create_subprocess_exec(
            *("git", *words),
            cwd=folder,
            env=git_environment(),
            stdin=asyncio.subprocess.DEVNULL,  # ours carries the protocol
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # so that git can be stopped together with its hooks and filters
        )
    except OSError:
        return 127, "git cannot be run here"
    try:
        said, _ = await process.communicate()
    except asyncio.CancelledError:
        await _stop(process)
        raise
    return process.returncode or 0, said.decode(errors="replace")


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End git and its children: with SIGTERM first, because git then removes what it has half made."""
    if sys.platform == "win32":
        process.kill()
        await process.wait()
        return
    for word in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, word)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE)
            return
