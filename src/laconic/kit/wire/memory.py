"""The SDK's client, connected to an endpoint in this process: directly, over pipes, or over HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from mcp import Client
from mcp_types import ElicitResult

from laconic.kit.endpoint import Endpoint
from laconic.kit.wire.server import build


def client_of(endpoint: Endpoint, era: str, over: str = "memory", **options: Any) -> Client:
    """Return a client of one era of the protocol, connected to an endpoint in this process."""
    if over == "memory":
        return Client(build(endpoint), mode=era, **options)
    from laconic.kit.wire import loopback

    wires: dict[str, Callable[[Endpoint], Any]] = {
        "sdk": loopback.sdk,
        "lean": loopback.lean,
        "http": loopback.http,
        "http-sdk": partial(loopback.http, wire="sdk"),
    }
    return Client(wires[over](endpoint), mode=era, **options)


def filling_in(values: Mapping[str, Any]) -> Callable[..., Awaitable[ElicitResult]]:
    """Return a callback that fills these values into the forms it is shown; a form without any gets a no."""

    async def answer(context: Any, params: Any) -> ElicitResult:
        fields = params.requested_schema.get("properties", {})
        content = {name: value for name, value in values.items() if name in fields}
        return ElicitResult(action="accept", content=content) if content else ElicitResult(action="decline")

    return answer
