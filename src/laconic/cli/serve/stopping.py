"""What a signal does before the server runs: SIGTERM and Ctrl-C end it quietly."""

from __future__ import annotations

import signal
from typing import NoReturn

__all__ = ["Stopped", "exit_on_signals"]


class Stopped(SystemExit):
    """A signal asks the process to end."""


def exit_on_signals() -> None:
    """From now on, exit with status 0 on a signal; serving installs its own handler later."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)


def _stop(number: int, frame: object) -> NoReturn:
    raise Stopped(0)
