"""Serving toolsets from your own program."""

from __future__ import annotations

import asyncio
import sys

from laconic.kit.endpoint import Endpoint
from laconic.kit.settings import Settings
from laconic.kit.toolset import Toolset

__all__ = ["serve"]


def serve(*toolsets: Toolset, name: str | None = None, settings: Settings | None = None) -> None:
    """Serve toolsets over stdio until the client disconnects, under a name, or their own."""
    endpoint = Endpoint(toolsets, name=name, settings=settings)
    if sys.platform == "win32":  # its pipes cannot be waited for
        from laconic.kit.wire.stdio import serve_stdio

        asyncio.run(serve_stdio(endpoint))
        return
    from laconic.kit.wire.about import About
    from laconic.kit.wire.lean.opening import claim, open_stdio
    from laconic.kit.wire.lean.serving import serve_lean

    opened = open_stdio(About.of(endpoint), *claim())
    if opened is not None:
        asyncio.run(serve_lean(endpoint, opened))
