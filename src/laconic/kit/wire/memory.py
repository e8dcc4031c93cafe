"""The SDK's client, connected to an endpoint in this process: directly, over pipes, or over HTTP."""

from __future__ import annotations

from typing import Any

from mcp import Client

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.server import build


def client_of(endpoint: Endpoint, era: str, over: str = "memory", **options: Any) -> Client:
    """Return a client of one era of the protocol, connected to an endpoint in this process."""
    if over == "memory":
        return Client(build(endpoint), mode=era, **options)
    from laconic.kit.wire import loopback

    wires = {"sdk": loopback.sdk, "lean": loopback.lean, "http": loopback.http}
    return Client(wires[over](endpoint), mode=era, **options)
