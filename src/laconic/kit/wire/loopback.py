"""Loopback: real transports with both ends in one process, for tests: pipes with either wire, and HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any

import anyio
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.lean.conversation import Conversation
from laconic.kit.wire.lean.lines import LineSplitter
from laconic.kit.wire.lean.opening import Opened
from laconic.kit.wire.lean.pipes import PipeReader, PipeWriter
from laconic.kit.wire.lean.serving import Serving

Pipes = AsyncIterator[tuple[int, int]]  # where a client reads and writes; it closes the second


@asynccontextmanager
async def lean_pipes(endpoint: Endpoint) -> Pipes:
    """Serve over pipes with the lean wire, and return the client's ends."""
    (reading, to_server), (from_server, writing) = os.pipe(), os.pipe()
    conversation = Conversation(ServerCard.of(endpoint), lambda message: None)  # `Serving` sets how to send
    serving = Serving(endpoint, Opened(conversation, [], [], LineSplitter(), reading, writing))

    async def serve() -> None:
        await serving.run()
        await serving.close()
        os.close(writing)

    task = asyncio.create_task(serve())
    try:
        yield from_server, to_server
    finally:
        await task
        os.close(reading)
        os.close(from_server)


@asynccontextmanager
async def sdk_pipes(endpoint: Endpoint) -> Pipes:
    """Serve over pipes with the SDK's wire, and return the client's ends."""
    from mcp.server.stdio import stdio_server

    from laconic.kit.wire.server import build

    (reading, to_server), (from_server, writing) = os.pipe(), os.pipe()
    server = build(endpoint)
    with (
        os.fdopen(reading, encoding="utf-8", errors="replace") as stdin,
        os.fdopen(writing, "w", encoding="utf-8") as stdout,
    ):

        async def serve() -> None:
            async with stdio_server(anyio.wrap_file(stdin), anyio.wrap_file(stdout)) as (hears, says):
                await server.run(hears, says, server.create_initialization_options())

        task = asyncio.create_task(serve())
        try:
            yield from_server, to_server
        finally:
            await task
            os.close(from_server)


@asynccontextmanager
async def lean(endpoint: Endpoint) -> AsyncIterator[TransportStreams]:
    """Serve over pipes with the lean wire."""
    async with lean_pipes(endpoint) as pipes, _client(*pipes) as streams:
        yield streams


@asynccontextmanager
async def sdk(endpoint: Endpoint) -> AsyncIterator[TransportStreams]:
    """Serve over pipes with the SDK's wire."""
    async with sdk_pipes(endpoint) as pipes, _client(*pipes) as streams:
        yield streams


@asynccontextmanager
async def _client(reading: int, writing: int) -> AsyncIterator[TransportStreams]:
    """Return a client's two ends of the pipes as the SDK's streams."""
    heard, hears = anyio.create_memory_object_stream[SessionMessage | Exception](float("inf"))
    says, said = anyio.create_memory_object_stream[SessionMessage](0)
    lines = LineSplitter()

    def hear(data: bytes) -> None:
        for line in lines.feed(data):
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            with suppress(anyio.BrokenResourceError):  # the session has ended
                heard.send_nowait(SessionMessage(message))

    async def write() -> None:
        async for one in said:
            out.send(one.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await out.room()

    into, out = PipeReader(reading, hear, heard.close), PipeWriter(writing, lambda: None, lambda: None)
    into.go_on()
    task = asyncio.create_task(write())
    try:
        yield hears, says
    finally:
        says.close()
        await task
        out.close()
        os.close(writing)
        into.wait()
        for stream in (heard, hears, said):
            stream.close()


@asynccontextmanager
async def http(endpoint: Endpoint, **options: Any) -> AsyncIterator[TransportStreams]:
    """Serve over HTTP on a free port of this machine."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    # loopback is not encrypted, and reading all certificates takes longer than a test
    async with (
        listening(endpoint, **options) as url,
        httpx2.AsyncClient(verify=False, timeout=30) as web,
        streamable_http_client(url, http_client=web) as streams,
    ):
        yield streams


@asynccontextmanager
async def listening(endpoint: Endpoint, **options: Any) -> AsyncIterator[str]:
    """Serve over HTTP with the options of `http_app`, and return the address."""
    import uvicorn

    from laconic.kit.wire.connections import Connection
    from laconic.kit.wire.http import PATH, http_app

    class Guest(uvicorn.Server):
        """Leaves the signals of the process alone."""

        capture_signals = nullcontext  # type: ignore[assignment]  # a method of no arguments there

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        app = http_app(endpoint, port=port, closes=False, **options)
        config = uvicorn.Config(
            app, http=Connection, log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        server = Guest(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110  # it has no event for this
            await asyncio.sleep(0.001)
        try:
            yield f"http://127.0.0.1:{port}{PATH}"
        finally:
            server.should_exit = True
            await task
