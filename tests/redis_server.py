"""A real Redis for benchmarks and tests: on a free port of this machine, keeping nothing unless asked to."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

__all__ = ["RedisServer", "redis_server"]


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Start one, give its address, and end it."""
    with RedisServer(folder) as server:
        yield server.url


class RedisServer:
    """A Redis that can be killed and started again at the same address; a lasting one knows what it knew."""

    def __init__(self, folder: Path, *, lasting: bool = False) -> None:
        self._folder = folder
        self._lasting = lasting
        self._server: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def number(self) -> int:
        """The number of its process."""
        return self._server.pid if self._server is not None else 0

    @property
    def is_running(self) -> bool:
        """False if it has ended, by whatever cause."""
        return self._server is not None and self._server.poll() is None

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> RedisServer:
        """Start on a free port; again where another process took the port before it could."""
        for _ in range(5):
            self.port = _free_port()
            if self._started():
                return self
        raise RuntimeError("redis-server did not answer within ten seconds, five times")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        if self._server is not None and self._server.poll() is None:
            self._server.terminate()
            self._server.wait(10)

    def start(self) -> None:
        """Start it again at the same address."""
        if not self._started():
            raise RuntimeError("redis-server did not answer within ten seconds")

    def kill(self) -> None:
        """End it as a crash does."""
        if self._server is not None:
            self._server.kill()
            self._server.wait(10)
            self._server = None

    def _started(self) -> bool:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        options += (
            ["--appendonly", "yes", "--appendfsync", "always"] if self._lasting else ["--appendonly", "no"]
        )
        command = ["redis-server", *options, "--dir", str(self._folder)]
        self._server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        if not _answers(self.port, self._server):
            self.kill()
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(port: int, server: subprocess.Popen[bytes]) -> bool:
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up and server.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as probe:
                probe.sendall(b"INFO server\r\n")  # whoever holds the port says its process id
                if f"process_id:{server.pid}\r".encode() in probe.recv(65536):
                    return True
        except OSError:
            time.sleep(0.02)
    return False
