"""A door: how the routes beside `/mcp` are protected, and the names of this server."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from starlette.routing import compile_path

from laconic.kit.answers.envelope import TABLE, Envelope

__all__ = ["SAFE", "Door", "Names"]

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})  # methods that change nothing


@dataclass(frozen=True)
class Door:
    """How the routes beside `/mcp` are protected."""

    most_body: int = 4 * 2**20  # bytes of a request
    open: Collection[str] = ()  # paths that need no token; one that ends with / includes all below it
    probes: Collection[str] = ()  # paths that may be read by any name of this server: health checks
    cookie: str | None = None  # the name of a cookie that may have the token, for pages in a browser
    reads: Collection[str] = ()  # paths where no method changes anything: `/items/{id}/preview`
    headers: Mapping[str, str] = field(default_factory=dict)  # of every answer; they replace those of the kit
    envelope: Envelope = TABLE  # of failures

    def is_open(self, path: str) -> bool:
        """True if a path needs no token; one with dots may lead out of what is open."""
        if any(piece in (".", "..") for piece in path.replace("\\", "/").split("/")):
            return False
        return any(path == one or (one.endswith("/") and path.startswith(one)) for one in self.open)

    def only_reads(self, method: str, path: str) -> bool:
        """True if a request changes nothing, so that the scope to read is enough."""
        return method in SAFE or any(pattern.match(path) for pattern in self._reads)

    @cached_property
    def _reads(self) -> list[re.Pattern[str]]:
        return [compile_path(path)[0] for path in self.reads]


@dataclass(frozen=True)
class Names:
    """The names of this server, as clients write them."""

    hosts: Collection[str]  # `name:port`, or `name:*` for any port
    public: str | None = None  # the origin that clients use, if it is another: `https://mcp.example.org`
    sites: Collection[str] = ()  # origins of others whose pages may call this server with a token

    def has(self, host: str) -> bool:
        """True if a Host header names this server."""
        name, _, port = host.lower().rpartition(":")
        return host.lower() in self.hosts or (port.isdecimal() and f"{name}:*" in self.hosts)

    def is_own(self, origin: str, scheme: str, host: str) -> bool:
        """True if an Origin header names a page of this server."""
        return origin.lower() in (f"{scheme}://{host.lower()}", self.public)
