"""What a client learns about the server before anything runs: its name, its capabilities, its lists."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.wire.protocol import (
    INVALID_PARAMS,
    LEGACY,
    METHOD_NOT_FOUND,
    METHODS,
    MODERN,
    SERVER_KEY,
    ProtocolError,
    checked,
)

if TYPE_CHECKING:
    from laconic.kit.endpoint import Endpoint
    from laconic.kit.listing import Listing

__all__ = ["ServerCard", "cursor_of", "place_of"]

KEPT: Final = 3_600_000  # milliseconds a client may keep a list, unless a change notice comes
LISTS: Final = ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list")


class ServerCard:
    """The server's name, version and lists, the same on every wire; it imports no tool."""

    def __init__(
        self, name: str, version: str, listing: Listing, page: int, *, has_tokens: bool = False
    ) -> None:
        self.name = name
        self.version = version
        self.listing = listing
        self._page = page
        self._has_tokens = has_tokens

    @classmethod
    def of(cls, endpoint: Endpoint, *, has_tokens: bool = False) -> ServerCard:
        """Return what clients learn about an endpoint; with tokens, its tools depend on the caller."""
        settings = endpoint.settings
        version = settings.version or endpoint.listing.version
        return cls(endpoint.name, version, endpoint.listing, settings.list_page, has_tokens=has_tokens)

    @property
    def server(self) -> dict[str, Any]:
        """The server's name and version."""
        return {"name": self.name, "version": self.version}

    @property
    def has_resources(self) -> bool:
        """True if there are resources or templates."""
        return bool(self.listing.resources or self.listing.templates)

    def serves(self, method: str) -> bool:
        """True if requests of this method are answered here."""
        if method.startswith("resources/"):
            return self.has_resources
        if method.startswith("prompts/"):
            return self.listing.has_prompts
        if method == "completion/complete":
            return self.has_resources or self.listing.has_prompts
        return True

    def check(self, method: str, params: Mapping[str, Any], *, is_modern: bool) -> None:
        """Check that a request can be answered in its era.

        Raises:
            ProtocolError: there is no such method here, or a parameter is missing or has the wrong type.
        """
        known = METHODS.get(method)
        if known is None or not (known.in_modern if is_modern else known.in_legacy):
            raise ProtocolError(METHOD_NOT_FOUND, "Method not found", method)
        checked(method, params)
        if not self.serves(method):
            raise ProtocolError(METHOD_NOT_FOUND, "Method not found", method)

    def told(
        self, method: str, params: Mapping[str, Any], *, may_write: bool = True
    ) -> dict[str, Any] | None:
        """Return the answer to a request that nothing has to run for; None if something has to."""
        match method:
            case "tools/list":
                return self.tools(params, may_write=may_write)
            case "server/discover":
                return self.discover()
            case "resources/list":
                return self.resources(params)
            case "resources/templates/list":
                return self.templates(params)
        return None

    def kept(self, method: str) -> dict[str, Any]:
        """Return how long a client may keep an answer, and whether for others too; empty if it may not."""
        if method not in LISTS:
            return {}
        is_private = self._has_tokens and method == "tools/list"
        return {"ttlMs": KEPT, "cacheScope": "private" if is_private else "public"}

    def completed(self, method: str, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return a result in the form of the modern revision."""
        meta = {SERVER_KEY: self.server, **(result.get("_meta") or {})}
        return {"resultType": "complete", **self.kept(method), **result, "_meta": meta}

    def capabilities(self) -> dict[str, Any]:
        """Return what clients of either era may ask for."""
        found: dict[str, Any] = {"logging": {}, "tools": {"listChanged": True}}
        if self.has_resources:
            found["resources"] = {"listChanged": True, "subscribe": True}
        if self.listing.has_prompts:
            found["prompts"] = {"listChanged": True}
        if self.serves("completion/complete"):
            found["completions"] = {}
        return found

    def initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Agree on a revision: the client's if it is known, else the newest that starts with `initialize`."""
        wanted = params["protocolVersion"]
        return {
            "protocolVersion": wanted if wanted in LEGACY else LEGACY[-1],
            "capabilities": self.capabilities(),
            "serverInfo": self.server,
            **self._instructions(),
        }

    def discover(self) -> dict[str, Any]:
        """Return everything a modern client learns at once."""
        return {
            "supportedVersions": list(MODERN),
            "capabilities": self.capabilities(),
            **self._instructions(),
        }

    def _instructions(self) -> dict[str, Any]:
        return {"instructions": self.listing.instructions} if self.listing.instructions else {}

    def tools(self, params: Mapping[str, Any], *, may_write: bool = True) -> dict[str, Any]:
        """Return one page of the tools that a caller may call."""
        return self.paged("tools", self.listing.tools if may_write else self.listing.reads, params)

    def resources(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return one page of the resources."""
        return self.paged("resources", self.listing.resources, params)

    def templates(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return one page of the resource templates."""
        return self.paged("resourceTemplates", self.listing.templates, params)

    def paged(self, key: str, items: Sequence[Any], params: Mapping[str, Any]) -> dict[str, Any]:
        """Return one page of a list.

        Raises:
            ProtocolError: the cursor is not one of ours.
        """
        begin = _begin(params.get("cursor"), len(items))
        end = begin + self._page
        result: dict[str, Any] = {key: list(items[begin:end])}
        if end < len(items):
            result["nextCursor"] = base64.urlsafe_b64encode(f"from {end}".encode()).decode()
        return result


def _begin(cursor: str | None, length: int) -> int:
    if not cursor:
        return 0
    try:
        words = base64.urlsafe_b64decode(cursor).decode().split()
        begin = int(words[1]) if len(words) == 2 and words[0] == "from" else -1
    except (binascii.Error, ValueError):
        begin = -1
    if not 0 < begin < length:
        raise ProtocolError(INVALID_PARAMS, "Invalid cursor. List again without one.")
    return begin


def cursor_of(place: tuple[str, str]) -> str:
    """Return a place in a list that changes as a cursor: the last item before it, not a number."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def place_of(cursor: str | None) -> tuple[str, str] | None:
    """Return the place that a cursor was made for; None without a cursor.

    Raises:
        ProtocolError: the cursor is not one of ours.
    """
    if not cursor:
        return None
    try:
        match json.loads(base64.urlsafe_b64decode(cursor)):
            case [str(origin), str(after)]:
                return origin, after
    except (binascii.Error, ValueError, RecursionError):
        pass
    raise ProtocolError(INVALID_PARAMS, "Invalid cursor. List again without one.")
