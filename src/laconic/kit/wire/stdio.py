"""Serving over standard input and output, on the SDK's transport."""

from __future__ import annotations

from mcp.server.stdio import stdio_server

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.server import build


async def serve_stdio(endpoint: Endpoint) -> None:
    """Serve one client until it closes its end."""
    server = build(endpoint)
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        await endpoint.close()
