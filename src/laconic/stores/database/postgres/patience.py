"""A connection that is given up in time: a server that is frozen, or cut off, does not break it off."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any, TypeVar

from psycopg import Connection, OperationalError

__all__ = ["PatientConnection"]

T = TypeVar("T")


class _Silent(OperationalError):
    """The server does not answer, and nobody waits for it any more."""

    sqlstate = "silent"


class PatientConnection(Connection[Any]):
    """A connection that waits for each answer only so long."""

    silence = inf  # seconds

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Wait for so long in this block."""
        before, self.silence = self.silence, seconds
        try:
            yield
        finally:
            self.silence = before

    def wait(self, gen: Generator[Any, Any, T], *words: Any, **named: Any) -> T:
        """Wait for an answer; psycopg goes on with the generator whenever bytes came, and now and then."""
        return super().wait(self._bounded(gen), *words, **named)

    def _bounded(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        ends = time.monotonic() + self.silence
        try:
            ready = yield next(gen)
            while True:
                if not ready and time.monotonic() > ends:
                    self.pgconn.finish()  # what it says later is no answer to what is asked next
                    raise _Silent("The server does not answer.")
                ready = yield gen.send(ready)
        except StopIteration as done:
            answer: T = done.value
            return answer
