"""The body of an HTTP request: one message, correct or left to the SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from laconic.kit.wire.lean.lines import read
from laconic.kit.wire.protocol import (
    CAPABILITIES_KEY,
    CLIENT,
    CLIENT_KEY,
    MODERN,
    OBJECTS,
    REVISION_KEY,
    ProtocolError,
    is_id,
)

__all__ = ["Post", "post_in"]

_MEMBERS: Final = {"jsonrpc", "id", "method", "params"}


class Post(NamedTuple):
    """One request."""

    id: str | int
    method: str
    params: Mapping[str, Any]
    capabilities: Mapping[str, Any]


def post_in(body: bytes) -> Post | None:
    """Return the request in a body; None unless it is a correct modern one."""
    try:
        message = read(body)
    except ProtocolError:
        return None
    if not isinstance(message, dict) or message.keys() != _MEMBERS or message["jsonrpc"] != "2.0":
        return None
    id, method, params = message["id"], message["method"], message["params"]
    if not is_id(id) or not isinstance(method, str) or not isinstance(params, dict):
        return None
    meta = params.get("_meta")
    if not isinstance(meta, dict) or meta.get(REVISION_KEY) not in MODERN:
        return None
    capabilities: Any = meta.get(CAPABILITIES_KEY)
    client = meta.get(CLIENT_KEY)
    if not OBJECTS.fits(capabilities) or not (client is None or CLIENT.fits(client)):
        return None
    return Post(id, method, params, capabilities)
