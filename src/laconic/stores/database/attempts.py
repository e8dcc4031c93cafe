"""Attempts: a transaction, tried again within a bound if another one was in the way or a connection broke."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from anyio import from_thread
from sqlalchemy import Connection
from sqlalchemy import exc as errors

from laconic.effects import note_effect
from laconic.stores.database.trouble import Trouble
from laconic.stores.errors import Locked, Missing, Taken

if TYPE_CHECKING:
    from laconic.stores.database.backend import Backend

__all__ = ["Attempts"]

_CLASHES: Final = 3  # how often the same may be made by somebody else first

T = TypeVar("T")


class Attempts:
    """The attempts at one piece of work."""

    def __init__(self, backend: Backend, patience: float) -> None:
        self._backend = backend
        self._give_up = time.monotonic() + patience
        self._clashes = 0
        self._is_committing = False

    def transaction(self, work: Callable[[Connection], T], writes: bool) -> T:
        """Do the work in a transaction of its own and keep what it wrote."""
        return self.make(lambda: self._once(work, writes))

    def make(self, attempt: Callable[[], T]) -> T:
        """Try until it succeeds, fails for good, or has taken too long."""
        while True:
            try:
                return attempt()
            except (errors.DBAPIError, errors.TimeoutError) as error:
                trouble = self._judge(error)
                if trouble is None:
                    raise
                if not self._may_try_again(trouble):
                    trouble.error.harmless = not self._is_committing or trouble.undone
                    if not trouble.error.harmless:
                        note_effect()
                    raise trouble.error from error
            from_thread.check_cancelled()
            time.sleep(random.uniform(0.001, 0.01))  # out of step with other waiters

    def _once(self, work: Callable[[Connection], T], writes: bool) -> T:
        self._is_committing = False
        with self._backend.engine(writes).connect() as connection:
            connection.begin()
            before = self._backend.writes_of(connection)
            result = work(connection)
            self._is_committing = writes
            connection.commit()
            if writes and (before is None or before != self._backend.writes_of(connection)):
                note_effect()
            return result

    def _judge(self, error: errors.DBAPIError | errors.TimeoutError) -> Trouble | None:
        if isinstance(error, errors.DBAPIError):
            return self._backend.judge(error)
        return Trouble(Locked(f"{self._backend.label} has no free connection."))

    def _may_try_again(self, trouble: Trouble) -> bool:
        self._clashes += isinstance(trouble.error, Missing | Taken)
        in_time = time.monotonic() < self._give_up and self._clashes < _CLASHES
        return trouble.again and in_time and (trouble.undone or not self._is_committing)
