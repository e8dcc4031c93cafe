"""The watch of a PostgreSQL: two equal snapshots see the same transactions, so nothing was written.

It is asked in the event loop, without a thread. One question answers everybody who came before it was sent.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from psycopg import Error
from psycopg.pq import ExecStatus

from laconic.stores.database.watching import NUMBERS, Mark

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["PostgresWatch"]

_PATIENCE: Final = 2.0  # seconds
_NAME: Final = b"laconic_mark"
# A server that follows another one does not list what is in progress, so its snapshots prove nothing.
# The start of the server is there for a successor in its place, which may have lost transactions.
_QUESTION: Final = (
    b"SELECT CASE WHEN NOT pg_is_in_recovery() "
    b"THEN concat(pg_postmaster_start_time(), ' ', pg_current_snapshot()) END"
)
_Waiting = list["asyncio.Future[Mark | None]"]


class PostgresWatch:
    """A connection of its own, outside of the pool."""

    def __init__(self, connection: Connection[Any]) -> None:
        """Prepare the question, in a thread."""
        self.is_over = False
        self._connection = connection
        self._pg = connection.pgconn
        self._socket = self._pg.socket
        self._number = next(NUMBERS)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: _Waiting = []
        self._asked: _Waiting = []
        self._timer: asyncio.TimerHandle | None = None
        self._answer: Mark | None = None
        if self._pg.prepare(_NAME, _QUESTION).status != ExecStatus.COMMAND_OK:
            self.is_over = True  # before version 13 there are no such snapshots
        self._pg.nonblocking = 1

    async def look(self) -> Mark | None:
        """Return the mark of what is there now."""
        loop = asyncio.get_running_loop()
        if self._loop is None and not self.is_over:
            self._listen(loop)
        if self.is_over or loop is not self._loop:
            return None
        waiting = loop.create_future()
        self._waiting.append(waiting)
        if not self._asked:
            self._ask(loop)
        found: Mark | None = await waiting
        return found

    def close(self) -> None:
        """Close the connection; whoever waits is told that nothing is known."""
        self.is_over = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._socket)
        self._loop = None
        with suppress(Error):
            self._connection.close()
        self._asked, self._waiting = [*self._asked, *self._waiting], []
        self._tell(None)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            loop.add_reader(self._socket, self._readable)
        except NotImplementedError:  # one kind of loop on Windows
            self.close()
        else:
            self._loop = loop

    def _ask(self, loop: asyncio.AbstractEventLoop) -> None:
        self._asked, self._waiting, self._answer = self._waiting, [], None
        self._timer = loop.call_later(_PATIENCE, self.close)
        try:
            self._pg.send_query_prepared(_NAME, None)
            if self._pg.flush():
                self.close()  # so few bytes always fit, unless the server has gone silent
        except Error:
            self.close()

    def _readable(self) -> None:
        try:
            self._pg.consume_input()
            while self._asked and not self._pg.is_busy():
                result = self._pg.get_result()
                if result is None:
                    self._answered()
                elif result.status == ExecStatus.TUPLES_OK:
                    value = result.get_value(0, 0)
                    self._answer = None if value is None else (self._number, value)
        except Error:
            self.close()

    def _answered(self) -> None:
        self._tell(self._answer)
        if self._waiting and self._loop is not None:
            self._ask(self._loop)

    def _tell(self, found: Mark | None) -> None:
        """Tell those for whom the question was sent."""
        if self._timer is not None:
            self._timer.cancel()
        told, self._asked = self._asked, []
        for one in told:
            if not one.done():  # cancelled
                one.set_result(found)
