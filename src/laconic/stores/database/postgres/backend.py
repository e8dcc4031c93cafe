"""PostgreSQL for work: psycopg in threads, with a bounded pool; a broken connection is replaced."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError

from laconic.stores.database.texts import refuse_bad_texts
from laconic.stores.database.trouble import Trouble
from laconic.stores.database.unhurried import unhurried
from laconic.stores.errors import (
    Full,
    Gone,
    Locked,
    Missing,
    ReadOnly,
    StoreDown,
    StoreError,
    Taken,
    Unusable,
    ValueTooLarge,
)

if TYPE_CHECKING:
    from laconic.stores.database.postgres.watch import PostgresWatch

__all__ = ["PostgresBackend"]

_CONNECTIONS: Final = 8
_CONNECTING: Final = 5  # seconds until a server that does not answer is given up
_SILENCE: Final = 15_000  # milliseconds until a connection without any sign of life is given up
_CONNECT: Final[dict[str, Any]] = {
    "connect_timeout": _CONNECTING,
    "tcp_user_timeout": _SILENCE,
    "application_name": "laconic",
}
_STATEMENT: Final = 30_000  # milliseconds
_SILENT: Final = 35.0  # seconds, so that a server that still works ends a statement first
_MIGRATION: Final = zlib.crc32(b"laconic migrations")  # the key of the lock that migrations take

# By code, as the manual of PostgreSQL lists them: the error, its words, and whether it may pass.
_Meaning = tuple[type[StoreError], str, bool]
_MEANINGS: Final[dict[str, _Meaning]] = {
    "40001": (Locked, "was busy with a conflicting change for too long.", True),
    "40P01": (Locked, "was busy with a conflicting change for too long.", True),
    "55P03": (Locked, "was held by others for too long.", True),
    "53300": (Locked, "has no free connection.", True),
    "57P03": (Gone, "is starting or stopping.", True),
    "57P01": (Gone, "was stopped.", True),
    "57P02": (Gone, "was stopped.", True),
    "57P05": (Gone, "closed the connection.", True),
    "silent": (Gone, "has not answered for too long.", True),  # ours, see PatientConnection
    "23505": (Taken, "already has one: somebody else has just made the same.", True),
    "23503": (Missing, "no longer has what this refers to.", True),
    "53100": (Full, "has no space left.", False),
    "25006": (ReadOnly, "can be read, but not written.", False),
    "42501": (ReadOnly, "does not let this user do that.", False),
    "57014": (Locked, "took too long.", False),
    "54000": (ValueTooLarge, "cannot keep a value that large.", False),
    "XX001": (Unusable, "is damaged; put a copy in its place.", False),
    "XX002": (Unusable, "has a damaged index; rebuild it.", False),
}
_REFUSAL: Final = re.compile(r"FATAL: +(.+)")
_PASSES: Final = re.compile("starting up|shutting down|recovery|too many|connection slots")


class PostgresBackend:
    """A database on a PostgreSQL server."""

    def __init__(self, url: URL, patience: float) -> None:
        self._url = url.set(drivername="postgresql+psycopg")
        self._patience = patience
        self.label = f"The database {url.database or ''}".rstrip()
        self._engines: dict[bool, Engine] = {}

    def engine(self, writes: bool) -> Engine:
        """Return the engine; what only reads sees one moment in all its statements."""
        if not self._engines:
            engine = self._new_engine()
            moment = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            self._engines = {True: engine, False: moment}
        return self._engines[writes]

    def is_there(self) -> bool:
        """Return True: a server creates nothing by being asked."""
        return True

    def has_moved(self) -> bool:
        """Return False: a server that is gone says so."""
        return False

    def close(self) -> None:
        """Close all connections."""
        engines, self._engines = self._engines, {}
        for engine in engines.values():
            engine.dispose()

    def watch(self) -> PostgresWatch:
        """Return what tells of commits, on a connection of its own."""
        from laconic.stores.database.postgres.watch import PostgresWatch  # here: psycopg may be missing

        dialect = self.engine(False).dialect
        words, named = dialect.create_connect_args(self._url)
        connection: Any = dialect.connect(*words, **named, **_CONNECT)
        return PostgresWatch(connection)

    def writes_of(self, connection: Connection) -> None:
        """Return None: asking would take a message to the server and back."""

    def judge(self, error: DBAPIError) -> Trouble | None:
        """Return what an error of PostgreSQL means."""
        code = getattr(error.orig, "sqlstate", None)
        if code in _MEANINGS:
            kind, words, again = _MEANINGS[code]
            return Trouble(kind(f"{self.label} {words}"), again, undone=kind is not Gone)
        if error.connection_invalidated or (code or "").startswith("08"):
            return Trouble(Gone(f"The connection to {self._name} was lost."), again=True)
        if error.statement is None:
            return self._not_let_in(str(error.orig))
        if (code or "")[:2] in ("53", "58"):
            return Trouble(StoreDown(f"{self.label} cannot be used now: {_first_line(error)}."))
        return None

    def _not_let_in(self, said: str) -> Trouble:
        # The driver gives no code before it is connected, and its own words have the path of a socket.
        refusal = _REFUSAL.search(said)
        if refusal is None:
            return Trouble(Gone(f"{self.label} cannot be reached."))
        passes = _PASSES.search(refusal[1]) is not None
        error = (Gone if passes else StoreDown)(f"{self.label} cannot be used: {refusal[1]}.")
        return Trouble(error, again=passes)

    @contextmanager
    def migrating(self, connection: Connection, patience: float) -> Iterator[None]:
        """Hold a lock of the server until the transaction ends, also if this process dies."""
        with connection.begin(), unhurried(connection):
            connection.execute(text(f"SET LOCAL lock_timeout = {int(patience * 1000)}"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION})
            yield

    def keep_copy(self, revision: str) -> None:
        """Do nothing: a migration that fails is undone as a whole, and backups are the server's."""

    @property
    def _name(self) -> str:
        return self.label[0].lower() + self.label[1:]

    def _new_engine(self) -> Engine:
        try:
            engine = create_engine(
                self._url,
                pool_size=_CONNECTIONS,
                max_overflow=0,
                pool_timeout=self._patience,
                hide_parameters=True,  # texts of users are not for logs
                connect_args=_CONNECT,
            )
        except ModuleNotFoundError as error:
            raise StoreDown(f"{self.label} needs psycopg: pip install 'laconic[postgres]'.") from error

        from laconic.stores.database.postgres.patience import PatientConnection  # here: psycopg is there

        @event.listens_for(engine, "do_connect")
        def _(dialect: Any, record: Any, words: Any, named: Any) -> Any:
            db = PatientConnection.connect(*words, **named)
            db.silence = _SILENT
            return db

        @event.listens_for(engine, "connect")
        def _(connection: Any, record: Any) -> None:
            connection.autocommit = True
            connection.execute(f"SET lock_timeout = {int(self._patience * 1000)}")
            connection.execute(f"SET statement_timeout = {_STATEMENT}")
            connection.execute("SET idle_in_transaction_session_timeout = 60000")
            connection.autocommit = False

        refuse_bad_texts(engine)
        return engine


def _first_line(error: DBAPIError) -> str:
    return (str(error.orig).splitlines() or [""])[0]
