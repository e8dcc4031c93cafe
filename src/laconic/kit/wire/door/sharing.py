"""Sharing: sites whose pages may call this server; browsers ask before they let a page do so."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laconic.kit.wire.door.doors import Names

__all__ = ["Shared"]

_METHODS: Final = "GET, HEAD, POST, PATCH, DELETE"
_FOR: Final = "600"  # seconds for which a browser need not ask again


class Shared:
    """The layer around all others, where there are such sites: it tells browsers that they are let in.

    Cookies are not for them: a page of another site must send a token itself.
    """

    def __init__(self, app: ASGIApp, sites: Collection[str], names: Names) -> None:
        self._app = app
        self._sites = sites
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the question whether a page may send a request, and pass on all requests."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origins = headers.getlist("origin")
        site = origins[0] if len(origins) == 1 and origins[0].lower() in self._sites else None

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(raw=list(message.get("headers", ())))
                answer.append("vary", "Origin")
                if site is not None:
                    answer["access-control-allow-origin"] = site
                    answer["access-control-expose-headers"] = "*"
                message = {**message, "headers": answer.raw}
            await send(message)

        if site is not None and self._is_question(scope, headers):
            asked = headers.get("access-control-request-headers", "")
            may = {"access-control-allow-methods": _METHODS, "access-control-max-age": _FOR}
            may |= {"access-control-allow-headers": asked} if asked else {}
            await Response(status_code=204, headers=may)(scope, receive, told)
            return
        await self._app(scope, receive, told)

    def _is_question(self, scope: Scope, headers: Headers) -> bool:
        """True if a browser asks, before it sends a request to this server."""
        hosts = headers.getlist("host")
        is_ours = len(hosts) == 1 and self._names.has(hosts[0])
        return is_ours and scope["method"] == "OPTIONS" and "access-control-request-method" in headers
