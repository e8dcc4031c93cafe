"""Synchronous functions as tools: they run in threads, reads side by side and writes one after another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial, wraps
from queue import Empty, SimpleQueue
from typing import Any, Final
from weakref import finalize

from laconic.kit.declaring.spec import Function
from laconic.kit.errors import Unavailable
from laconic.kit.idle import Idle
from laconic.kit.running import answerable
from laconic.kit.stopping import is_final

__all__ = ["MOST_LEFT", "Worker", "runs_on"]

MOST_LEFT: Final = 8  # functions of a toolset that nobody waits for any more, and that still run
_PAUSE: Final = 0.02  # seconds without a call after which a thread goes on with what was left for later
_BREATH: Final = 0.003  # seconds between two parts of that, in which other threads have the processor
_RUNS_ON: Final = "the function cannot be stopped and runs on in its thread"


def runs_on(cancelled: BaseException | None) -> bool:
    """True if this cancel left a function running in its thread."""
    return cancelled is not None and cancelled.args == (_RUNS_ON,)


class Worker:
    """The threads that run a toolset's synchronous functions.

    With one thread, no function runs beside another of the toolset, so they need no locks between them. With
    several, only those that are not `in_order` run side by side. When a read is cancelled its thread finishes
    alone, and another takes its place.
    """

    def __init__(self, toolset: str, threads: int) -> None:
        self._ordered = _Line(toolset, 1)
        self._others = self._ordered if threads == 1 else _Line(toolset, threads)
        for line in {self._ordered, self._others}:
            finalize(self, line.close).atexit = False

    def awaited(self, function: Callable[..., Any], *, writes: bool, in_order: bool) -> Function:
        """Return an async function that runs this one in a thread and leaves the event loop free."""
        line = self._ordered if in_order else self._others

        @wraps(function)
        async def run(**values: Any) -> Any:
            job = _Job(partial(copy_context().run, partial(function, **values)))
            line.put(job)
            try:
                return await job.value()
            except asyncio.CancelledError as cancelled:
                if job.is_mine():
                    raise  # it had not started
                if writes and not is_final(cancelled):
                    return await _finished(job)
                if line.leave(job):
                    raise asyncio.CancelledError(_RUNS_ON) from None
                raise

        return run


class _Job:
    """One call of a function: made and awaited on the event loop, run in a thread."""

    __slots__ = ("_claim", "_error", "_loop", "_result", "_waiter", "_work", "is_done", "is_left")

    def __init__(self, work: Callable[[], Any]) -> None:
        self.is_left = False  # nobody waits for it any more
        self.is_done = False
        self._work = work
        self._claim = threading.Lock()  # who gets it, the thread or the cancel
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[Any] | None = None
        self._result: Any = None
        self._error: BaseException | None = None

    def is_mine(self) -> bool:
        """True for the first who asks: either it is run, or it was cancelled before."""
        return self._claim.acquire(blocking=False)

    def value(self) -> asyncio.Future[Any]:
        """Return what the function returns or raises; to cancel this does not stop the function."""
        self._waiter = self._loop.create_future()
        if self.is_done:
            self._tell()
        return self._waiter

    def run(self) -> None:
        """Run it in this thread."""
        try:
            self._result = self._work()
        except BaseException as error:
            self._error = answerable(error)  # a future cannot pass on a StopIteration
        self._end()

    def refuse(self, error: Exception) -> None:
        """Fail without running it."""
        self._error = error
        self._end()

    def _end(self) -> None:
        self.is_done = True
        with suppress(RuntimeError):  # the event loop is closed: nobody waits
            self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        waiter = self._waiter
        if waiter is None or waiter.done():
            return  # nobody waits, or it was told
        if self._error is not None:
            waiter.set_exception(self._error)
        else:
            waiter.set_result(self._result)


class _Line:
    """Jobs that wait for their turn, and the threads that take them."""

    def __init__(self, name: str, most: int) -> None:
        self._name = name
        self._most = most  # threads that take jobs
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._wanted = 0  # jobs that wait or run, and that somebody waits for
        self._left = 0

    def put(self, job: _Job) -> None:
        """Add a job at the end.

        Raises:
            Unavailable: too many functions that were left are still running.
        """
        with self._lock:
            if self._left >= MOST_LEFT:
                raise self._refusal()
            self._wanted += 1
            self._jobs.put(job)
            self._start_if_needed()

    def leave(self, job: _Job) -> bool:
        """Let a running job finish alone; return False if it has finished already."""
        with self._lock:
            if job.is_done:
                return False
            job.is_left = True
            self._wanted -= 1
            self._threads -= 1
            self._left += 1
            if self._left < MOST_LEFT:
                self._start_if_needed()
            elif self._threads == 0:
                self._refuse_all()
            return True

    def close(self) -> None:
        """End the threads after the jobs that wait."""
        self._jobs.put(None)

    def _start_if_needed(self) -> None:
        if self._threads < min(self._most, self._wanted):
            self._threads += 1
            threading.Thread(target=self._serve, name=self._name, daemon=True).start()

    def _serve(self) -> None:
        idle = Idle()
        while (job := self._next(idle)) is not None:
            if job.is_mine():
                job.run()
            if not self._goes_on(job):
                return
            del job  # it holds what the function returned
        self._jobs.put(None)  # for the next thread

    def _next(self, idle: Idle) -> _Job | None:
        pause = _PAUSE
        while idle.works:
            try:
                return self._jobs.get(timeout=pause)
            except Empty:
                idle.work()
                pause = _BREATH
        return self._jobs.get()

    def _goes_on(self, job: _Job) -> bool:
        """Return False if another thread has taken the place of this one."""
        with self._lock:
            if not job.is_left:
                self._wanted -= 1
                return True
            self._left -= 1
            if self._threads == self._most:
                return False
            self._threads += 1
            return True

    def _refuse_all(self) -> None:
        while not self._jobs.empty():
            self._wanted -= 1
            job = self._jobs.get()
            if job is not None and job.is_mine():
                job.refuse(self._refusal())

    def _refusal(self) -> Unavailable:
        words = f"{MOST_LEFT} calls of {self._name} that took too long are still running."
        return Unavailable(words, changed=False)


async def _finished(job: _Job) -> Any:
    """Wait for a write that has started: it cannot be stopped, and its answer is better than "unknown"."""
    while not job.is_done:
        try:
            return await job.value()
        except asyncio.CancelledError as cancelled:
            if is_final(cancelled):
                raise
    return job.value().result()
