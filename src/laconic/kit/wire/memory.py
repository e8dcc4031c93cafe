"""The SDK's own client, connected to an endpoint in memory."""

from __future__ import annotations

from typing import Any

from mcp import Client

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.server import build


def client_of(endpoint: Endpoint, era: str, **options: Any) -> Client:
    """Make a client that speaks one era of the protocol to an endpoint in this process."""
    return Client(build(endpoint), mode=era, **options)
