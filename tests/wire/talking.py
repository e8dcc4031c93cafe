"""Raw lines to a server on either wire of stdio, in this process or in another."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from laconic.kit import Endpoint, Settings, Toolset
from laconic.kit.wire import loopback
from laconic.kit.wire.lean.lines import LineSplitter
from laconic.kit.wire.lean.pipes import PipeReader, PipeWriter
from laconic.kit.wire.protocol import LEGACY, MODERN
from tests import warm
from tests.wire.odd import TOOLSETS

Message = dict[str, Any]
PATIENCE = 90.0
REVISIONS = (*LEGACY, *MODERN)
KEY = "io.modelcontextprotocol/"
CLIENT = {"name": "test", "version": "1"}


def request(id: Any, method: str, **params: Any) -> Message:
    """A request without metadata."""
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def notice(method: str, **params: Any) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def meta(revision: str = MODERN[0], capabilities: Any = None, **more: Any) -> Message:
    """The metadata of a modern request."""
    said = {"protocolVersion": revision, "clientCapabilities": capabilities or {}, "clientInfo": CLIENT}
    return {**{KEY + name: value for name, value in said.items()}, **more}


def modern(
    id: Any, method: str, capabilities: Any = None, about: Message | None = None, **params: Any
) -> Message:
    """A request of the modern era."""
    return request(id, method, **params, _meta=meta(capabilities=capabilities, **(about or {})))


def initialize(revision: str, id: Any = "init", **capabilities: Any) -> Message:
    return request(id, "initialize", protocolVersion=revision, capabilities=capabilities, clientInfo=CLIENT)


def encoded(line: Message | Sequence[Any] | bytes) -> bytes:
    return line if isinstance(line, bytes) else json.dumps(line).encode()


class Talk:
    """One client's side of a conversation, in raw lines."""

    def __init__(self, reading: int, writing: int, revision: str) -> None:
        self.revision = revision
        self.heard: list[Any] = []  # everything, in order
        self._fresh = asyncio.Event()
        self._ended = asyncio.Event()
        self._end = writing
        self._lines = LineSplitter(1 << 30)
        self.reading = PipeReader(reading, self._hear, self._over)
        self.writing = PipeWriter(writing, lambda: None, lambda: None)
        self.reading.go_on()

    def _hear(self, data: bytes) -> None:
        self.heard += map(_read, self._lines.feed(data))
        self._fresh.set()

    def _over(self) -> None:
        self._ended.set()
        self._fresh.set()

    def send(self, *lines: Message | Sequence[Any] | bytes) -> None:
        for line in lines:
            self.writing.send(encoded(line) + b"\n")

    def request(self, id: Any, method: str, capabilities: Any = None, **params: Any) -> Message:
        """Return a request in the form of this conversation's revision."""
        if self.revision in MODERN:
            return modern(id, method, capabilities, **params)
        return request(id, method, **params)

    def call(self, id: Any, tool: str, capabilities: Any = None, /, **arguments: Any) -> Message:
        return self.request(id, "tools/call", capabilities, name=tool, arguments=arguments)

    async def greet(self, **capabilities: Any) -> Message:
        if self.revision in MODERN:
            return await self.ask(modern("init", "server/discover"))
        answer = await self.ask(initialize(self.revision, **capabilities))
        self.send(notice("notifications/initialized"))
        return answer

    async def ask(self, message: Message) -> Message:
        """Send a request and return its answer, skipping other messages."""
        self.send(message)
        return await self.answer(message["id"])

    async def answer(self, id: Any) -> Message:
        found: Message = await self.find(lambda one: is_answer(one) and same(one.get("id"), id))
        return found

    async def find(self, is_it: Any, count: int = 1) -> Any:
        """Return the first message that matches, or the one of that number."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = [one for one in self.heard if is_it(one)]
                if len(found) >= count:
                    return found[count - 1]
                assert not self._ended.is_set(), f"it ended: {self.heard[-3:]}"
                self._fresh.clear()
                await self._fresh.wait()

    async def fence(self) -> None:
        """Wait until everything sent so far was read."""
        number = f"fence {len(self.heard)} {id(object())}"
        await self.ask(self.request(number, "tools/list", cursor=""))

    async def hang_up(self) -> list[Any]:
        """Close our end, and return everything received."""
        async with asyncio.timeout(PATIENCE):
            await self.writing.flush()
            self.close()
            while not self._ended.is_set():
                self._fresh.clear()
                await self._fresh.wait()
        return self.heard

    def close(self) -> None:
        if self._end >= 0:
            self.writing.close()
            os.close(self._end)
            self._end = -1


def _read(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return {"no JSON": line}


def is_answer(one: Any) -> bool:
    return isinstance(one, dict) and "method" not in one


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


@asynccontextmanager
async def _greeted(talk: Talk, greet: bool, capabilities: Message) -> AsyncIterator[None]:
    """Begin and end a conversation."""
    try:
        if greet:
            await talk.greet(**capabilities)
        yield
    finally:
        talk.close()
        talk.reading.wait()


@asynccontextmanager
async def talking(
    revision: str = MODERN[0],
    over: str = "lean",
    greet: bool = True,
    settings: Settings | None = None,
    toolsets: Sequence[Toolset] = TOOLSETS,
    **capabilities: Any,
) -> AsyncIterator[Talk]:
    """A conversation with toolsets, normally the odd one, in this process."""
    endpoint = Endpoint(toolsets, name="odd", settings=settings)
    pipes = loopback.lean_pipes(endpoint) if over == "lean" else loopback.sdk_pipes(endpoint)
    try:
        async with pipes as (reading, writing):
            talk = Talk(reading, writing, revision)
            async with _greeted(talk, greet, capabilities):
                yield talk
    finally:
        await endpoint.close()


class Process(Talk):
    """A conversation with a server in another process."""

    def __init__(self, process: warm.Process, revision: str) -> None:
        assert process.stdin and process.stdout
        super().__init__(process.stdout.fileno(), os.dup(process.stdin.fileno()), revision)
        process.stdin.close()
        self.process = process

    async def ends(self) -> int:
        """Wait for its end."""
        return await asyncio.to_thread(self.process.wait, PATIENCE)

    @property
    def memory(self) -> int:
        """Return the bytes of memory it uses."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


ROOT = Path(__file__).parents[2]
LIBRARIES = {"lean": warm.COMMANDS, "sdk": warm.SERVERS}


@asynccontextmanager
async def started(
    revision: str = MODERN[0], over: str = "lean", greet: bool = True, **capabilities: Any
) -> AsyncIterator[Process]:
    """A conversation with the odd toolset in another process, which must not log a bug."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "error"}
    with TemporaryFile() as errors:
        process = warm.Process.piped(
            [over],
            cwd=ROOT,
            env=env,
            stderr=errors.fileno(),
            module="tests.wire.odd",
            libraries=LIBRARIES[over],
        )
        talk = Process(process, revision)
        try:
            async with _greeted(talk, greet, capabilities):
                yield talk
        finally:
            if process.poll() is None:
                process.kill()
            await talk.ends()
            assert process.stdout
            process.stdout.close()
            errors.seek(0)
            said = errors.read().decode()
        assert "Traceback" not in said, said
