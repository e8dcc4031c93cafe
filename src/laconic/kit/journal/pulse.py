"""The pulse: work that is done now and then, without a timer in the event loop.

A loop with a timer sets the machine's clock whenever it waits for the next request, which takes a twelfth of
a small call. The one thread of a pulse sets it once per beat.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

__all__ = ["Job", "Pulse", "pulse"]

_BEAT: Final = 0.25  # seconds
_QUICK: Final = 0.02  # while somebody is in a hurry
_CALM: Final = 1.0  # how long that lasts


class Job:
    """Something to do on an event loop whenever it is due."""

    def __init__(self, is_due: Callable[[], bool], work: Callable[[], None]) -> None:
        """Take work for the running loop; `is_due` is asked by another thread, never while the work runs."""
        self._is_due = is_due
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._is_posted = False
        self.is_over = False  # its loop is closed

    def beat(self) -> None:
        """Have the work done if it is due."""
        if self._loop.is_closed():
            self.is_over = True
        elif not self._is_posted and self._is_due():
            self._is_posted = True
            self._loop.call_soon_threadsafe(self._run)

    def _run(self) -> None:
        try:
            if not self.is_over:
                self._work()
        finally:
            self._is_posted = False


class Pulse:
    """Beats a few times a second as long as there are jobs."""

    def __init__(self) -> None:
        self._jobs: tuple[Job, ...] = ()  # replaced as a whole: the thread may be reading it
        self._changing = threading.Lock()
        self._woken = threading.Event()
        self._hurried_at = -_CALM
        self._is_slow = False
        self._thread: threading.Thread | None = None

    def add(self, job: Job) -> None:
        """Do a job from now on."""
        with self._changing:
            self._jobs = (*self._jobs, job)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="laconic-pulse", daemon=True)
                self._thread.start()

    def remove(self, job: Job) -> None:
        """Do a job no more."""
        job.is_over = True
        with self._changing:
            self._jobs = tuple(one for one in self._jobs if one is not job)
            if not self._jobs:
                self._woken.set()

    def hurry(self) -> None:
        """Beat quickly for a while."""
        self._hurried_at = monotonic()
        if self._is_slow:
            self._woken.set()

    def _run(self) -> None:
        while True:
            self._is_slow = True  # first, so that whoever hurries after the next line wakes it
            if monotonic() - self._hurried_at < _CALM:
                self._is_slow = False
            is_woken = self._woken.wait(_BEAT if self._is_slow else _QUICK)
            if is_woken:
                self._woken.clear()
            with self._changing:
                self._jobs = tuple(job for job in self._jobs if not job.is_over)
                if not self._jobs:
                    self._thread = None
                    return
                jobs = () if is_woken else self._jobs
            for job in jobs:
                with suppress(Exception):  # whatever it asks for is its own matter
                    job.beat()


pulse: Final = Pulse()
"""The pulse of this process."""
