"""Raw requests over HTTP to a server in this process, on either wire of HTTP."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from laconic.kit import Endpoint, Settings, Toolset
from laconic.kit.wire import loopback
from laconic.kit.wire.protocol import MODERN
from tests.wire.odd import TOOLSETS
from tests.wire.talking import Message, modern

PATIENCE = 90.0
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
Headers = Iterable[tuple[str, str]]


class Answer:
    """What came back: its status, its headers, and the messages in its body."""

    def __init__(self, head: bytes) -> None:
        first, *lines = head.decode("latin-1").strip().split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
        self.body = b""

    @property
    def is_stream(self) -> bool:
        return self.headers.get("content-type") == "text/event-stream"

    @property
    def messages(self) -> list[Message]:
        if not self.is_stream:
            return [json.loads(self.body)]
        data = [
            line.removeprefix(b"data: ") for line in self.body.split(b"\r\n") if line.startswith(b"data: ")
        ]
        return [json.loads(one) for one in data if one.strip()]


class Line:
    """One connection of a client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def head(self) -> Answer:
        """Read the head of an answer."""
        async with asyncio.timeout(PATIENCE):
            return Answer(await self.reader.readuntil(b"\r\n\r\n"))

    async def chunk(self) -> bytes:
        """Read the next piece of a stream; empty at its end."""
        async with asyncio.timeout(PATIENCE):
            size = int(await self.reader.readline(), 16)
            data = await self.reader.readexactly(size)
            await self.reader.readline()
            return data

    async def event(self) -> Message:
        """Read the next event of a stream, skipping signs of life."""
        while (data := await self.chunk()).startswith(b":"):
            pass
        found: Message = json.loads(data.split(b"data: ", 1)[1])
        return found

    async def answer(self) -> Answer:
        """Read a whole answer."""
        answer = await self.head()
        if "content-length" in answer.headers:
            async with asyncio.timeout(PATIENCE):
                answer.body = await self.reader.readexactly(int(answer.headers["content-length"]))
        elif answer.headers.get("transfer-encoding") == "chunked":
            parts = []
            while data := await self.chunk():
                parts.append(data)
            answer.body = b"".join(parts)
        return answer


class Site:
    """A server on a port of this machine."""

    def __init__(self, url: str, endpoint: Endpoint) -> None:
        self.url = url
        self.endpoint = endpoint
        self.host = urlsplit(url).netloc
        self._lines: list[Line] = []

    def usual(self, message: Any) -> dict[str, str]:
        """The headers that a client sends with a modern message."""
        method = message.get("method") if isinstance(message, dict) else None
        params = message.get("params") if isinstance(message, dict) else None
        about = params.get(NAMED.get(str(method))) if isinstance(params, dict) else None
        return {
            "Host": self.host,
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN[0],
            **({"Mcp-Method": method} if isinstance(method, str) and method.isascii() else {}),
            **({"Mcp-Name": about} if isinstance(about, str) else {}),
        }

    async def send(self, data: bytes) -> Line:
        """Open a connection, and send bytes."""
        line = Line(*await asyncio.open_connection(*self.host.split(":")))
        self._lines.append(line)
        line.writer.write(data)
        return line

    async def begin(self, message: Any, changed: Mapping[str, str | None] | None = None) -> Line:
        """Send a message, with the usual headers except those that are changed; None leaves one out."""
        headers = {**self.usual(message), **(changed or {})}
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        given = [(name, value) for name, value in headers.items() if value is not None]
        return await self.send(raw("POST", given, body))

    async def post(self, message: Any, changed: Mapping[str, str | None] | None = None) -> Answer:
        """Send a message and return the answer."""
        return await (await self.begin(message, changed)).answer()

    async def call(self, tool: str, capabilities: Any = None, /, **arguments: Any) -> Answer:
        """Call a tool."""
        return await self.post(modern(1, "tools/call", capabilities, name=tool, arguments=arguments))

    def close(self) -> None:
        for line in self._lines:
            line.writer.close()


def raw(verb: str, headers: Headers, body: bytes = b"", path: str = "/mcp") -> bytes:
    """A request as bytes."""
    lines = [f"{verb} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    if not any(name.lower() in ("content-length", "transfer-encoding") for name, _ in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@asynccontextmanager
async def posting(
    wire: str = "lean",
    toolsets: Sequence[Toolset] = TOOLSETS,
    settings: Settings | None = None,
    **options: Any,
) -> AsyncIterator[Site]:
    """A server over HTTP for toolsets, normally the odd one, in this process."""
    endpoint = Endpoint(toolsets, name="odd", settings=settings)
    try:
        async with loopback.listening(endpoint, wire=wire, **options) as url:
            site = Site(url, endpoint)
            try:
                yield site
            finally:
                site.close()
    finally:
        await endpoint.close()
