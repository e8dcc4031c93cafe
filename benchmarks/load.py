"""Many concurrent HTTP clients: raw requests over persistent connections, for a limited time."""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from benchmarks.programs import MODERN, environment, memory_of, meta_of, work_of

__all__ = ["Site", "free_port", "hammer", "listening", "request_of"]

_PATIENCE = 60.0


class Site:
    """A server on a local port, and the processes it consists of."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port = port
        self.process = process

    @property
    def memory(self) -> int:
        """The resident memory of all its processes in bytes."""
        return sum(memory_of(one) or 0 for one in self._processes)

    @property
    def work(self) -> float:
        """The CPU seconds of all its processes."""
        return sum(work_of(one) or 0 for one in self._processes)

    @property
    def _processes(self) -> list[int]:
        return [self.process.pid, *_children(self.process.pid)]


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@asynccontextmanager
async def listening(
    command: Sequence[str], home: Path, port: int, more: Mapping[str, str] | None = None
) -> AsyncIterator[Site]:
    """Start a server with `more` variables, wait until it answers, and stop it with all its workers."""
    process = _start(command, home, more or {})
    try:
        await _wait_for(port, process)
        yield Site(port, process)
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(15)


def _start(command: Sequence[str], home: Path, more: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=home,
        env=environment(home) | dict(more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a separate process group, so that its workers end with it
    )


async def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline_at = time.monotonic() + _PATIENCE
    line = request_of("tools/list", port)
    while time.monotonic() < deadline_at:
        if process.poll() is not None:
            raise RuntimeError("the server ended before it listened")
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.write(line)
        answer = await _answer(reader)
        writer.close()
        if b'"result"' in answer:
            return
    raise RuntimeError("the server did not answer in time")


def request_of(method: str, port: int, **params: Any) -> bytes:
    """Return the bytes of a request of the modern era."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | meta_of(MODERN)}
    body = json.dumps(message).encode()
    headers = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": method,
    }
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + body


def hammer(
    port: int,
    line: bytes | Callable[[], bytes],
    clients: int,
    seconds: float,
    most: int,
    good: bytes = b'"isError":false',
) -> tuple[float, list[float]]:
    """Send the request from that many clients until time or count runs out; return the rate and all times.

    A function returns another request each time.

    An answer without `good` is a mistake of the benchmark.

    Each client sends its next request when it has the answer to the last. There is no event loop, which would
    take as long as some servers.
    """
    times: list[float] = []
    with selectors.DefaultSelector() as waiting:
        lines = [_Line(port, line, good) for _ in range(clients)]
        began = time.perf_counter()
        until = began + seconds
        try:
            for one in lines:
                waiting.register(one.socket, selectors.EVENT_READ, one)
                one.ask()
            while waiting.get_map():
                for key, _ in waiting.select(_PATIENCE):
                    one = key.data
                    took = one.hear()
                    if took is None:
                        continue
                    times.append(took)
                    if time.perf_counter() < until and len(times) < most:
                        one.ask()
                    else:
                        waiting.unregister(one.socket)
        finally:
            for one in lines:
                one.socket.close()
    return len(times) / (time.perf_counter() - began), times


class _Line:
    """One client's connection."""

    def __init__(self, port: int, line: bytes | Callable[[], bytes], good: bytes) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self._line = line
        self._good = good
        self._began = 0.0
        self._heard = b""

    def ask(self) -> None:
        """Send the request."""
        line = self._line if isinstance(self._line, bytes) else self._line()
        self._heard = b""
        self._began = time.perf_counter()
        self.socket.sendall(line)

    def hear(self) -> float | None:
        """Read; return the seconds since the request was sent if the answer is complete."""
        data = self.socket.recv(65536)
        self._heard += data
        if data and not _is_complete(self._heard):
            return None
        if self._good not in self._heard:
            raise RuntimeError(f"a call failed: {self._heard[:300]!r}")
        return time.perf_counter() - self._began


def _is_complete(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 304"):
        return bool(end)
    _, given, rest = head.partition(b"content-length: ")
    if given:
        return len(body) >= int(rest.split(b"\r\n", 1)[0])
    return bool(end) and body.endswith(b"0\r\n\r\n")


async def _answer(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    _, given, rest = head.partition(b"content-length:")
    if given:
        return await reader.readexactly(int(rest.split(b"\r\n", 1)[0]))
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body


def _children(process: int) -> list[int]:
    found: list[int] = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        for child in listed.read_text(encoding="ascii").split():
            found += [int(child), *_children(int(child))]
    return found
