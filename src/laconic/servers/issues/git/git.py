"""Running git: what it says, and that it stops when we do."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

_GRACE: Final = 5.0  # seconds it has to stop
_OF_ONE_REPOSITORY: Final = frozenset(  # set where a hook started us, and then not about the folder we mean
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"]
)


async def git(folder: Path, *words: str) -> tuple[int, str]:
    """Run git and give its exit code and what it said; stopped when the call is cancelled."""
    kept = {name: value for name, value in os.environ.items() if name not in _OF_ONE_REPOSITORY}
    try:
        process = await asyncio.create_subprocess_exec(
            *("git", *words),
            cwd=folder,
            env={**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            stdin=asyncio.subprocess.DEVNULL,  # ours is the protocol's
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # so that it can be stopped together with its hooks and filters
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
    """End git and what it started: politely first, for then it takes away what it half made."""
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
