"""Serving toolsets from a program of one's own."""

from __future__ import annotations

import asyncio

from laconic.kit.endpoint import Endpoint
from laconic.kit.settings import Settings
from laconic.kit.toolset import Toolset

__all__ = ["serve"]


def serve(*toolsets: Toolset, settings: Settings | None = None) -> None:
    """Serve toolsets over stdio until the client goes away."""
    from laconic.kit.wire.stdio import serve_stdio

    asyncio.run(serve_stdio(Endpoint(toolsets, settings=settings)))
