"""From HTTP to the lean wire, for the conformance suite, which has no stdio: `… bridge PORT`.

Only the part of streamable HTTP that carries messages: each legacy session has its own process, all modern
requests share one. What belongs to a request's stream (progress, log lines, questions) is sent to it; what
stdio cannot attribute goes to every open stream of its process. Headers are ignored: what the suite requires
of them is about HTTP.
"""

import asyncio
import itertools
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

COMMAND = (sys.executable, "-W", "error", "-m", "tests.conformance.server", "lean")
REVISION = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
MODERN = "2026-07-28"
OPENING: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "server/discover",
    "params": {"_meta": {REVISION: MODERN, "io.modelcontextprotocol/clientCapabilities": {}}},
}
LONGEST = 64 * 1024 * 1024
STATUS = {-32601: 404, -32602: 400, -32600: 400, -32700: 400, -32020: 400, -32021: 400, -32022: 400}
Message = dict[str, Any]


class Stream:
    """The reply to one HTTP request, under its own id and token."""

    def __init__(self, id: Any = None, token: Any = None) -> None:
        self.id = id
        self.token = token
        self.queue: asyncio.Queue[Message] = asyncio.Queue()

    def tell(self, message: Message) -> None:
        params = dict(message.get("params") or {})
        meta = dict(params.get("_meta") or {})
        if "progressToken" in params:
            params["progressToken"] = self.token
        if SUBSCRIPTION in meta:
            meta[SUBSCRIPTION] = self.id
            params["_meta"] = meta
        self.queue.put_nowait({**message, "params": params} if params else message)


class Child:
    """A server over stdio, and the streams that wait for it."""

    def __init__(self) -> None:
        self.streams: dict[str, Stream] = {}  # by the id and token we gave a request
        self.standing: Stream | None = None  # a legacy client's GET
        self._numbers = itertools.count(1)

    async def start(self) -> None:
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*COMMAND, stdin=pipe, stdout=pipe, limit=LONGEST)
        self._reading = asyncio.create_task(self._read())

    def send(self, message: Message) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def ask(self, message: Message) -> tuple[str, Stream]:
        """Send a request under our own id: several clients share a process, and may use the same id."""
        number = f"b{next(self._numbers)}"
        params = dict(message.get("params") or {})
        meta = dict(params.get("_meta") or {})
        stream = self.streams[number] = Stream(message["id"], meta.get("progressToken"))
        if stream.token is not None:
            params["_meta"] = {**meta, "progressToken": number}
        self.send({**message, "id": number} | ({"params": params} if params else {}))
        return number, stream

    async def _read(self) -> None:
        assert self.process.stdout
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            number = message.get("id")
            if "method" not in message and number in self.streams:
                stream = self.streams.pop(number)
                stream.tell({**message, "id": stream.id})
            else:
                for stream in self._meant(message):
                    stream.tell(message)

    def _meant(self, message: Message) -> list[Stream]:
        params = message.get("params") or {}
        number = params.get("progressToken", (params.get("_meta") or {}).get(SUBSCRIPTION))
        if number in self.streams:
            return [self.streams[number]]
        if "list_changed" in message["method"] or "updated" in message["method"]:
            return [self.standing] if self.standing else []
        return list(self.streams.values())

    async def stop(self) -> None:
        if self.process.stdin:
            self.process.stdin.close()
        await self.process.wait()
        await self._reading


class Bridge:
    """One address for both eras."""

    def __init__(self) -> None:
        self.sessions: dict[str, Child] = {}
        self.modern: Child | None = None
        self._starting = asyncio.Lock()

    async def post(self, request: Request) -> Response:
        body = json.loads(await request.body())
        revision = request.headers.get("mcp-protocol-version", "")
        meta = (body.get("params") or {}).get("_meta") or {}
        session = request.headers.get("mcp-session-id")
        if session is not None:
            child = self.sessions.get(session)
            if child is None:
                return Response(status_code=404)
        elif body.get("method") == "initialize" and revision != MODERN:
            session, child = uuid4().hex, Child()
            await child.start()
            self.sessions[session] = child
        elif revision or REVISION in meta:
            child = await self._modern()
        else:
            return Response(status_code=400)
        headers = {"mcp-session-id": session} if session else {}
        if "id" not in body or "method" not in body:
            child.send(body)
            return Response(status_code=202, headers=headers)
        return await self._answer(child, body, headers)

    async def _answer(self, child: Child, body: Message, headers: dict[str, str]) -> Response:
        number, stream = child.ask(body)
        first = await stream.queue.get()
        if "method" not in first:
            status = STATUS.get(first.get("error", {}).get("code"), 200) if not headers else 200
            return JSONResponse(first, status_code=status, headers=headers)

        async def events() -> AsyncIterator[str]:
            message = first
            try:
                while True:
                    yield f"event: message\ndata: {json.dumps(message)}\n\n"
                    if "method" not in message:
                        return
                    message = await stream.queue.get()
            finally:
                if child.streams.pop(number, None):  # the client disconnected: that is a cancel
                    about = {"requestId": number}
                    child.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": about})

        return StreamingResponse(events(), media_type="text/event-stream", headers=headers)

    async def _modern(self) -> Child:
        async with self._starting:
            if self.modern is None:
                self.modern = Child()
                await self.modern.start()
                await self.modern.ask(OPENING)[1].queue.get()  # over HTTP a header has the era
        return self.modern

    async def get(self, request: Request) -> Response:
        child = self.sessions.get(request.headers.get("mcp-session-id", ""))
        if child is None:
            return Response(status_code=405)
        stream = child.standing = Stream()

        async def events() -> AsyncIterator[str]:
            while True:
                yield f"event: message\ndata: {json.dumps(await stream.queue.get())}\n\n"

        return StreamingResponse(events(), media_type="text/event-stream")

    async def delete(self, request: Request) -> Response:
        child = self.sessions.pop(request.headers.get("mcp-session-id", ""), None)
        if child is None:
            return Response(status_code=405)
        await child.stop()
        return Response(status_code=200)

    async def close(self) -> None:
        for child in [*self.sessions.values(), *([self.modern] if self.modern else [])]:
            await child.stop()


def main(arguments: list[str]) -> int:
    bridge = Bridge()
    routes = [
        Route("/mcp", bridge.post, methods=["POST"]),
        Route("/mcp", bridge.get, methods=["GET"]),
        Route("/mcp", bridge.delete, methods=["DELETE"]),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await bridge.close()

    app = Starlette(routes=routes, lifespan=lifespan)
    uvicorn.run(
        app, host="127.0.0.1", port=int(arguments[0]), log_level="warning", timeout_graceful_shutdown=1
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
