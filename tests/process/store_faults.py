"""Real faults of a state store, started at a chosen point of a call: held, full, gone, killed, stopped.

`Unsteady` only decides when a fault begins and ends; what then fails is the real store.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from laconic.stores.keyvalue import KeyValue
from laconic.stores.keyvalue.redis import RedisStore
from laconic.stores.keyvalue.sqlite import SqliteStore
from tests.redis_server import RedisServer

PATIENCE = 0.1  # seconds that a client waits for its store


class Backend(Protocol):
    """A store whose faults can be started in any process, and undone in any."""

    faults: dict[str, Callable[[], None]]

    def opened(self) -> KeyValue:
        """Open the store."""

    def heal(self) -> None:
        """Undo the faults of this process, and those that any process can undo."""

    def tend(self) -> None:
        """Let faults pass that pass by themselves; called often by the process that owns the store."""

    def close(self) -> None:
        """End it."""


class Sqlite:
    """A SQLite file in a folder of its own, reached through a link."""

    def __init__(self, folder: Path) -> None:
        self._home, self._link = folder / "home", folder / "state"
        self._nowhere = folder / "file" / "state"
        self._home.mkdir()
        self._nowhere.parent.touch()
        self._lead_to(self._home)
        self._file = self._link / "state.db"
        self._holder: sqlite3.Connection | None = None
        self.faults = {"held": self._hold, "full": _fill, "gone": lambda: self._lead_to(self._nowhere)}

    def opened(self) -> KeyValue:
        """Open the store."""
        return SqliteStore(self._file, patience=PATIENCE)

    def heal(self) -> None:
        """Let go of it, make room, put it back."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if self._holder is not None:
            self._holder.close()
            self._holder = None
        self._lead_to(self._home)

    def tend(self) -> None:
        """Nothing passes by itself."""

    def close(self) -> None:
        """Heal it."""
        self.heal()

    def _hold(self) -> None:
        with suppress(sqlite3.Error):  # someone else holds it: as good
            self._holder = sqlite3.connect(self._file, timeout=0, isolation_level=None)
            self._holder.execute("BEGIN IMMEDIATE")

    def _lead_to(self, place: Path) -> None:
        """Make the store be elsewhere, in one step."""
        link = self._home.with_name(f"link-{os.urandom(4).hex()}")
        link.symlink_to(place)
        link.replace(self._link)


def _fill() -> None:
    """Make every larger file too large to grow, as on a full disk; the log of effects is small."""
    sys.dont_write_bytecode = True  # Python would keep half a file of a module that is imported now
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))


class Redis:
    """A Redis that keeps what it acknowledged, even if it is killed."""

    def __init__(self, folder: Path) -> None:
        place = folder / "redis"
        place.mkdir()
        self._server = RedisServer(place, lasting=True).__enter__()
        self._number, self._gone = place / "number", place / "gone"
        self._note()
        self._down_since: float | None = None
        self.faults = {
            "killed": self._kill,
            "gone": self._go,
            "stopped": lambda: self._signal(signal.SIGSTOP),
            "full": lambda: self._say("CONFIG SET maxmemory 1"),
        }

    def opened(self) -> KeyValue:
        """Open the store."""
        return RedisStore(self._server.url)

    def heal(self) -> None:
        """Let it come back, go on, and make room."""
        self._gone.unlink(missing_ok=True)
        self._signal(signal.SIGCONT)
        self._say("CONFIG SET maxmemory 0")

    def tend(self) -> None:
        """Start it again a moment after it was killed; let it go on."""
        self._signal(signal.SIGCONT)
        if self._server.is_running:
            self._down_since = None
        elif self._down_since is None:
            self._down_since = time.monotonic()
        elif time.monotonic() - self._down_since > PATIENCE and not self._gone.exists():
            self._server.start()
            self._note()

    def close(self) -> None:
        """End it."""
        self._server.__exit__(None, None, None)

    def _note(self) -> None:
        self._number.write_text(str(self._server.number), encoding="utf-8")

    def _kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _go(self) -> None:
        self._gone.touch()
        self._kill()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(int(self._number.read_text(encoding="utf-8")), number)

    def _say(self, words: str) -> None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._server.port), PATIENCE) as line:
            line.sendall(f"{words}\r\n".encode())
            line.recv(100)


@dataclass(frozen=True)
class Plan:
    """Which fault begins before which operation of the store, and how many operations it lasts."""

    fault: str | None
    at: int  # -1: after the effect
    lasts: int


class Unsteady:
    """A store with a plan; every operation goes to the real one."""

    def __init__(self, backend: Backend, plan: Plan) -> None:
        self._backend = backend
        self._store = backend.opened()
        self._plan = plan
        self._begun: int | None = None
        self._count = 0

    def after_effect(self) -> None:
        """Begin the fault that comes after the effect."""
        if self._plan.at == -1:
            self._begin()

    def _begin(self) -> None:
        if self._plan.fault is not None and self._begun is None:
            self._begun = self._count
            self._backend.faults[self._plan.fault]()

    def __getattr__(self, name: str) -> Any:
        work = getattr(self._store, name)

        async def operation(*arguments: Any) -> Any:
            if self._count == self._plan.at:
                self._begin()
            elif self._begun is not None and self._count - self._begun == self._plan.lasts:
                self._backend.heal()
            self._count += 1
            return await work(*arguments)

        return operation

    @property
    def as_store(self) -> KeyValue:
        """The same, as what it is."""
        return cast("KeyValue", self)


def backend(name: str, folder: Path) -> Backend:
    """Return the store that a schedule runs on."""
    return Redis(folder) if name == "redis" else Sqlite(folder)
