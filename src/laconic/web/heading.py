"""HEAD: what GET answers, without the body."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HeadAnswered", "wants_headers"]

_MARK: Final = "laconic.head"


class HeadAnswered:
    """A layer around all routes: a HEAD is a GET whose answer has no body, so no route can be without it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope.get("method") != "HEAD":
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            await send(message if "body" not in message else {**message, "body": b""})

        as_get: dict[str, Any] = {**scope, "method": "GET", _MARK: True}
        await self._app(as_get, receive, without_body)


def wants_headers(request: Request) -> bool:
    """True if only the headers of an answer are wanted: a stream need not begin."""
    return _MARK in request.scope
