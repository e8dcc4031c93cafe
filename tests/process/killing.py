"""Commands that are killed in the middle of their work."""

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.process.speaking import COMMAND, PATIENCE, environment


def kill_in_the_middle(
    words: Sequence[str], folder: Path, database: Path, is_time: Callable[[], bool]
) -> None:
    """Start a command that works on a library, and kill it when it is time."""
    left = str(folder.parent)  # what it does not come to delete
    env = environment(folder.parent / "home", LACONIC_DATABASE=str(database), TMPDIR=left)
    with subprocess.Popen([*COMMAND, *words], cwd=folder, env=env, stdout=subprocess.DEVNULL) as process:
        until = time.monotonic() + PATIENCE
        while not is_time():
            assert time.monotonic() < until and process.poll() is None
            time.sleep(0.001)
        process.kill()
