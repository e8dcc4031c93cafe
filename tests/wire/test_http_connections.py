"""Which connection over HTTP is closed, and which is kept: long requests, busy ones, and those that wait."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any

import pytest
import uvicorn

from laconic.kit.wire import connections

HEAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Guest(uvicorn.Server):
    """Leaves the signals of the process alone."""

    capture_signals = nullcontext  # type: ignore[assignment]  # a method of no arguments there


class Served:
    """A web server in this event loop; its answers wait until they may be given."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.may_answer = asyncio.Event()
        self.asked = asyncio.Semaphore(0)
        self.lines: list[Line] = []

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        self.asked.release()
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def line(self, sends: bytes) -> Line:
        line = await asyncio.open_connection("127.0.0.1", self._port)
        self.lines.append(line)
        line[1].write(sends)
        await line[1].drain()
        return line


@asynccontextmanager
async def _served(most: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    monkeypatch.setattr(connections, "most_connections", lambda: most)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        served = Served(listening.getsockname()[1])
        config = uvicorn.Config(
            served.app,
            http=connections.Connection,
            lifespan="off",
            interface="asgi3",
            log_config=None,
            timeout_graceful_shutdown=1,
        )
        server = Guest(config)
        running = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            async with asyncio.timeout(30):
                yield served
        finally:
            served.may_answer.set()
            for _, writer in served.lines:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
            server.should_exit = True
            await running


async def _status(line: Line) -> bytes:
    return (await line[0].readline()).split()[1]


async def test_a_long_request_has_more_time_to_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.2)
    async with _served(10, monkeypatch) as served:
        served.may_answer.set()
        long = await served.line(HEAD.format(200_000).encode() + b"x" * 199_999)  # 20 seconds more
        short = await served.line(HEAD.format(200_000).encode() + b"x")
        assert await _status(short) == b"408"
        long[1].write(b"x")
        assert await _status(long) == b"204"


async def test_a_new_connection_takes_the_place_of_the_one_that_waited_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with _served(4, monkeypatch) as served:
        busy = await served.line(GET)
        await served.asked.acquire()
        first, second, third = [await served.line(GET[:9]) for _ in range(3)]
        await served.line(GET[:9])
        assert await _status(first) == b"408"
        await served.line(GET[:9])
        assert await _status(second) == b"408"
        third[1].write(GET[9:])
        served.may_answer.set()
        assert [await _status(third), await _status(busy)] == [b"204", b"204"]


async def test_a_connection_is_refused_while_all_others_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with _served(2, monkeypatch) as served:
        busy = [await served.line(GET) for _ in range(2)]
        for _ in busy:
            await served.asked.acquire()
        reader, _ = await served.line(b"")
        said = (await reader.read()).decode()
        assert said.startswith("HTTP/1.1 503 ") and "retry-after: 1" in said
        served.may_answer.set()
        assert [await _status(line) for line in busy] == [b"204", b"204"]
