"""Work for later: a thread that runs plain functions goes on with it while no call waits for that thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Final

from laconic.kit.redaction import redacted_log

__all__ = ["Idle", "later"]

log = redacted_log("laconic.bug")

_SLICE: Final = 0.01  # seconds of work between two looks for a call

_here = threading.local()


def later(work: Iterator[None]) -> bool:
    """Do work after this call, a short part at each step; a call that comes in between is not held up.

    Call it in a plain function of a tool: the same thread does the work. Anywhere else it returns False, and
    the work is not done. It may end at any step, with the process at the latest.
    """
    idle: Idle | None = getattr(_here, "idle", None)
    if idle is None:
        return False
    idle.works.append(work)
    return True


class Idle:
    """What one thread does while no call waits."""

    def __init__(self) -> None:
        """Take the work that functions leave in this thread."""
        self.works: deque[Iterator[None]] = deque()
        _here.idle = self

    def work(self) -> None:
        """Go on for a moment."""
        until = time.perf_counter() + _SLICE
        try:
            while time.perf_counter() < until:
                next(self.works[0])
        except StopIteration:
            self.works.popleft()
        except Exception:
            self.works.popleft()
            log.exception("work that was left for later failed")
