"""Where the time of a small call goes on the lean wire: each part measured alone, in this process."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import Any

from benchmarks.harness import Measured, Subject, interleaved
from benchmarks.programs import LEGACY
from benchmarks.served import small
from benchmarks.stdio_servers import ECHO
from benchmarks.steps import chain
from laconic.kit.endpoint import Endpoint
from laconic.kit.peer import SilentPeer
from laconic.kit.wire import render
from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.lean.conversation import Conversation
from laconic.kit.wire.lean.lines import LineSplitter, read, write
from laconic.kit.wire.lean.peer import LeanPeer
from laconic.kit.wire.lean.requests import Request
from laconic.kit.wire.sealing import Seal

__all__ = ["parts"]

_OPTIONAL = "limits, rate on"  # costs only those who turn it on


async def parts(rounds: int, count: int) -> dict[str, float]:
    """Return the seconds of each part, in the order of a call."""
    endpoint = Endpoint([small])
    tool, arguments = ECHO
    answer = await endpoint.call_tool(tool, arguments, SilentPeer())  # builds what is built on first use
    heard = _Heard(endpoint)
    result = render.tool_result(answer)
    request = heard.request()
    request.reply(result)
    reply = heard.said[-1]
    reading, writing = os.pipe()

    def through_the_pipe() -> None:
        os.write(writing, heard.line)
        os.read(reading, 65536)

    works: dict[str, Callable[[], object]] = {
        "two system calls: a line written, a line read": through_the_pipe,
        "splitting lines": lambda: list(heard.lines.feed(heard.line)),
        "parsing": lambda: read(heard.line),
        "parsing and hearing": heard.request,
        "who calls": heard.peer,
        "forming the answer": lambda: render.tool_result(answer),
        "adapting it to the revision": lambda: request.reply(result),
        "writing JSON": lambda: write(reply),
    }
    grown = {name: work for name, work in chain(endpoint).items() if name != _OPTIONAL}
    subjects: dict[str, Subject] = {name: partial(_batch, work, count) for name, work in works.items()}
    subjects["a separate task"] = partial(_awaited, _task, count)
    subjects["a round of the event loop"] = partial(_awaited, _round, count)
    subjects |= {f"step {name}": partial(_awaited, work, count) for name, work in grown.items()}
    found = await interleaved(subjects, rounds)
    os.close(reading)
    os.close(writing)
    return _split(found, list(grown))


class _Heard:
    """A conversation in progress, and a line of it that calls the tool."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.said: list[Any] = []
        self.lines = LineSplitter()
        about = ServerCard(endpoint.name, "1", endpoint.listing, endpoint.settings.list_page)
        self._conversation = Conversation(about, self._say)
        client = {"name": "bench", "version": "1"}
        opening = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": client}
        self._conversation.hear(_line(1, "initialize", opening))
        self._seal = Seal(endpoint.keys, endpoint.name)
        tool, arguments = ECHO
        self.line = _line(2, "tools/call", {"name": tool, "arguments": dict(arguments)})
        self._request = self.request()

    def _say(self, message: Any) -> None:
        self.said[:] = [message]

    def request(self) -> Request:
        """Receive the line, then forget the request."""
        [request] = self._conversation.hear(self.line)
        self._conversation.done(request)
        return request

    def peer(self) -> LeanPeer:
        return LeanPeer(self._conversation, self._request, self._seal, _nothing)


def _line(id: int, method: str, params: Mapping[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


async def _nothing() -> None:
    pass


def _task() -> Awaitable[None]:
    return asyncio.get_running_loop().create_task(_nothing())


def _round() -> Awaitable[None]:
    return asyncio.sleep(0)


async def _batch(work: Callable[[], object], count: int) -> list[float]:
    began = perf_counter()
    for _ in range(count):
        work()
    return [(perf_counter() - began) / count]


async def _awaited(work: Callable[[], Awaitable[object]], count: int) -> list[float]:
    began = perf_counter()
    for _ in range(count):
        await work()
    return [(perf_counter() - began) / count]


def _split(found: Mapping[str, Measured], grown: list[str]) -> dict[str, float]:
    """Separate nested parts: hearing includes parsing, and each step includes those inside it."""
    within = "parsing and hearing"
    told = {
        name: measured.median
        for name, measured in found.items()
        if not name.startswith("step ") and name != within
    }
    hearing = {"which method is called, and whether it is allowed": found[within].beyond(found["parsing"])}
    steps = {f"pipeline: {grown[0]}": found[f"step {grown[0]}"].median}
    for inner, outer in pairwise(grown):
        steps[f"pipeline: {outer}"] = found[f"step {outer}"].beyond(found[f"step {inner}"])
    before = ("two system calls: a line written, a line read", "splitting lines", "parsing")
    first = {name: told.pop(name) for name in before}
    task = {name: told.pop(name) for name in ("a round of the event loop", "a separate task", "who calls")}
    return first | hearing | task | dict(reversed(steps.items())) | told
