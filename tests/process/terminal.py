"""A terminal of any width for the command in a process."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import warm
from tests.process.speaking import PATIENCE, environment

_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Shown:
    """The output on the terminal, with its colours, and the exit status."""

    status: int
    raw: str

    @property
    def text(self) -> str:
        """As a person reads it."""
        return _CODES.sub("", self.raw)

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


Then = tuple[str, Callable[[], object] | str]


def on_terminal(
    *words: str,
    folder: Path,
    width: int = 80,
    keys: str = "",
    then: Sequence[Then] = (),
    **variables: str,
) -> Shown:
    """Run a command on a terminal, type `keys`, and wait for its end.

    Each of `then` waits for a text after the one before it, and does something, or types a text; if the last
    does something, it is followed by Ctrl-C.
    """
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    plain = {name: "" for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CI")}
    its_environment = environment(folder.parent / "home", TERM="xterm-256color", **{**plain, **variables})
    for name in plain:
        if not its_environment[name]:
            del its_environment[name]
    process = warm.Process(words, cwd=folder, env=its_environment, streams=[its] * 3)
    os.close(its)
    try:
        os.write(ours, keys.encode())
        said = _read_all(ours, process, list(then))
        return Shown(process.wait(PATIENCE), said.decode().replace("\r\n", "\n"))
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(ours)


def _read_all(terminal: int, process: warm.Process, then: list[Then]) -> bytes:
    """Everything up to the end, which on Linux is an error."""
    said, until, seen = b"", time.monotonic() + PATIENCE, 0
    while select.select([terminal], [], [], max(0, until - time.monotonic()))[0]:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            return said
        if not part:
            return said
        said += part
        if then and then[0][0].encode() in said[seen:]:
            seen = len(said)
            act = then.pop(0)[1]
            if isinstance(act, str):
                os.write(terminal, act.encode())
                continue
            act()
            if not then:
                process.send_signal(signal.SIGINT)  # what Ctrl-C does where the terminal controls the process
    raise AssertionError(f"no end; it said: {said!r}")
