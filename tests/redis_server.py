"""A real Redis for benchmarks and tests: on a free port of this machine, keeping nothing."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["redis_server"]


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Start one, give its address, and end it."""
    server, port = _started(folder)
    with server:
        try:
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()
            server.wait(10)


def _started(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Start it; again where another process took the port before it could."""
    for _ in range(5):
        port = _free_port()
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = ["redis-server", *options, "--dir", str(folder)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        if _answers(port, server):
            return server, port
        server.kill()
        server.wait(10)
    raise RuntimeError("redis-server did not answer within ten seconds, five times")


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
