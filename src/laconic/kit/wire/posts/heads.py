"""The head of an HTTP request: whether it is a correct modern request.

What is not is left to the SDK, which serves earlier revisions and refuses the rest in its own words. So a
check here may be stricter than the SDK's, never more lenient.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final

from mcp.shared.inbound import (
    NAME_BEARING_METHODS,
    decode_header_value,
    validate_mcp_param_headers,
    x_mcp_header_map,
)
from starlette.types import Scope

from laconic.kit.peer import Caller
from laconic.kit.wire.posts.bodies import Post
from laconic.kit.wire.protocol import MODERN

__all__ = ["AUTHORIZATION", "Heads"]

Headers = Mapping[bytes, bytes]

AUTHORIZATION: Final = b"authorization"
_REVISION: Final = b"mcp-protocol-version"
_METHOD: Final = b"mcp-method"
_NAME: Final = b"mcp-name"
_ONCE: Final = frozenset(
    {
        AUTHORIZATION,
        _REVISION,
        _METHOD,
        _NAME,
        b"host",
        b"origin",
        b"content-type",
        b"content-length",
        b"accept",
    }
)
_MODERN: Final = frozenset(revision.encode() for revision in MODERN)
_JSON: Final = frozenset({"*/*", "application/json", "application/*"})
_EVENTS: Final = frozenset({"*/*", "text/event-stream", "text/*"})


class Heads:
    """Knows the path and the names of this server, as clients write them."""

    def __init__(
        self,
        path: str,
        hosts: Collection[str],
        origins: Collection[str],
        longest: int,
        schemas: Mapping[str, Any],
    ) -> None:
        self._path = path
        self._hosts = frozenset(name.encode() for name in hosts)
        self._origins = frozenset(name.encode() for name in origins)
        self.longest = longest  # bytes of a body
        self._repeated = {name: schema for name, schema in schemas.items() if x_mcp_header_map(schema)}

    def read(self, scope: Scope) -> Headers | None:
        """Return the headers that matter, if this is the head of a correct modern request."""
        if scope["type"] != "http" or scope["method"] != "POST":
            return None
        if scope["path"] != scope.get("root_path", "") + self._path:
            return None
        found: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in _ONCE:
                if name in found:
                    return None  # two readers could take two different ones
                found[name] = value
        return found if found.get(_REVISION) in _MODERN and self._is_good(found) else None

    def fit(self, headers: Headers, post: Post, caller: Caller) -> bool:
        """True if the headers repeat what the body says, as the protocol wants it for proxies."""
        if headers.get(_METHOD, b"") != post.method.encode():
            return False
        key = NAME_BEARING_METHODS.get(post.method)
        about = None if key is None else post.params.get(key)
        if about is None:
            return True
        name = decode_header_value(headers.get(_NAME, b"").decode("latin-1"))
        if name != about:
            return False
        schema = self._repeated.get(about) if post.method == "tools/call" else None
        arguments = post.params.get("arguments") or {}
        if schema is None or not isinstance(arguments, dict):
            return True
        return validate_mcp_param_headers(schema, arguments, caller.headers) is None

    def _is_good(self, headers: Headers) -> bool:
        origin, length = headers.get(b"origin"), headers.get(b"content-length", b"0")
        return (
            _is_among(headers.get(b"host", b""), self._hosts)
            and (origin is None or _is_among(origin, self._origins))
            and headers.get(b"content-type", b"").lower().startswith(b"application/json")
            and _accepts_both(headers.get(b"accept", b""))
            and length.isdigit()
            and int(length) <= self.longest
        )


def _is_among(name: bytes, names: Collection[bytes]) -> bool:
    """True if a name is one of these; `name:*` means any port."""
    host, _, port = name.rpartition(b":")
    return name in names or (port.isdigit() and host + b":*" in names)


@lru_cache(64)
def _accepts_both(accept: bytes) -> bool:
    """True if a client takes an answer as JSON and as a stream of events."""
    kinds = {part.split(";")[0].strip().lower() for part in accept.decode("latin-1").split(",")}
    return not (kinds.isdisjoint(_JSON) or kinds.isdisjoint(_EVENTS))
