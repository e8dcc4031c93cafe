"""Servers on loopback that answer byte by byte, and a clock that tests move."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from laconic.upstream import Clock

Handler = Callable[["Seen", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Seen:
    """A request as it came over the socket."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class RawServer:
    """A server that hands each request to one function, which writes whatever it likes."""

    handler: Handler
    seen: list[Seen] = field(default_factory=list)
    port: int = 0
    tasks: set["asyncio.Task[Any] | None"] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tasks.add(asyncio.current_task())
        try:
            while request := await read(reader):
                self.seen.append(request)
                await self.handler(request, writer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client went away, or the test is over
        finally:
            writer.close()


async def read(reader: asyncio.StreamReader) -> Seen | None:
    head = await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b""
    if not head:
        return None
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}
    method, path, _ = first.split(" ")
    return Seen(method, path, headers, await reader.readexactly(int(headers.get("content-length", 0))))


@asynccontextmanager
async def raw(handler: Handler) -> AsyncIterator[RawServer]:
    server = RawServer(handler)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for task in server.tasks - {None}:
            task.cancel()  # type: ignore[union-attr]  # None was taken out


def reply(status: int = 200, body: Any = None, content: bytes | None = None, **headers: str) -> bytes:
    """Return a whole answer; names of headers have underscores for hyphens."""
    content = json.dumps(body).encode() if content is None else content
    named = {"content-type": "application/json", "content-length": str(len(content))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + content


def answering(*answers: bytes) -> Handler:
    """Give these answers in turn, the last one again and again."""
    left = list(answers)

    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        writer.write(left.pop(0) if len(left) > 1 else left[0])

    return handler


class MovedClock:
    """A clock that moves when somebody sleeps, and remembers for how long."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0
        self.slept: list[float] = []

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.time, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)
