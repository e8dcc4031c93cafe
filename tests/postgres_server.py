"""A real PostgreSQL for benchmarks and tests: on a socket in a folder of its own, keeping nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from types import TracebackType

from tests.components import COMPONENTS

__all__ = ["PostgresServer"]

_ROLE = "laconic"
_PATIENCE = 90.0  # seconds
# It refuses to run as root, so root starts it as a user who may do nothing.
_USER, _GROUP = ("nobody", "nogroup") if os.geteuid() == 0 else (None, None)


class PostgresServer:
    """A PostgreSQL that can be killed and started again, with a new database for whoever asks."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pg-"))  # a socket's path has at most 107 characters
        self._server: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)

    @property
    def is_running(self) -> bool:
        """False if it has ended, by whatever cause."""
        return self._server is not None and self._server.poll() is None

    def __enter__(self) -> PostgresServer:
        """Make it and start it."""
        if _USER:
            shutil.chown(self._folder, _USER)
        self._run(
            "initdb",
            "-D",
            self._data,
            "-U",
            _ROLE,
            "--auth=trust",
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
        )
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it and remove what it wrote."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Start it, the first time or again; it is at the same address."""
        settings = ["listen_addresses=", f"unix_socket_directories={self._folder}", "fsync=off"]
        options = [word for setting in settings for word in ("-c", setting)]
        with self._log.open("ab") as log:
            self._server = subprocess.Popen(
                [_program("postgres"), "-D", self._data, *options],
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=self._folder,
                user=_USER,
                group=_GROUP,
            )
        give_up = time.monotonic() + _PATIENCE
        while not self._answers():
            if time.monotonic() > give_up or not self.is_running:
                raise RuntimeError(f"PostgreSQL did not start: {self._log.read_text()[-2000:]}")
            time.sleep(0.02)

    def kill(self) -> None:
        """End it at once, as a crash does."""
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(_PATIENCE)

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = f"test{next(self._numbers)}"
        self._run("createdb", "-h", self._folder, "-U", _ROLE, name)
        return f"postgresql://{_ROLE}@/{name}?host={self._folder}"

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def _answers(self) -> bool:
        asked = subprocess.run(
            [_program("pg_isready"), "-q", "-h", self._folder], check=False, cwd=self._folder
        )
        return asked.returncode == 0

    def _run(self, program: str, *words: str | Path) -> None:
        done = subprocess.run(
            [_program(program), *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=self._folder,
            user=_USER,
            group=_GROUP,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr[-2000:]}")


def _program(name: str) -> Path:
    server = COMPONENTS["postgres"].find()
    if server is None:
        raise RuntimeError("PostgreSQL is not installed")
    return server.with_name(name)
