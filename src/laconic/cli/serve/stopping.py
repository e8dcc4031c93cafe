"""What a signal does before the server runs: SIGTERM and Ctrl-C end it quietly."""

from __future__ import annotations

import signal
import sys

__all__ = ["exit_on_signals"]


def exit_on_signals() -> None:
    """From now on, exit with status 0 on a signal; serving installs its own handler later."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: sys.exit(0))
