"""Serving over stdio, on the SDK's transport."""

from __future__ import annotations

import asyncio

from anyio import CancelScope
from mcp.server.stdio import stdio_server

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.server import build


async def serve_stdio(endpoint: Endpoint, closed: asyncio.Event | None = None) -> None:
    """Serve one client until it closes its end.

    When cancelled, everything ends except the SDK's thread that waits for a line, and `closed` is set. The
    caller must then exit by force, because nothing can wake that thread.
    """
    server = build(endpoint)
    async with stdio_server() as (reading, writing):
        try:
            endpoint.follow()
            await server.run(reading, writing, server.create_initialization_options())
        finally:
            with CancelScope(shield=True):
                await endpoint.close()
            if closed is not None:
                closed.set()
