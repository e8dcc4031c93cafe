"""The entrance: correct modern requests are answered here, all others go on to the SDK."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from laconic.kit.peer import READ, Caller
from laconic.kit.wire.headed import RawHeaders, headed
from laconic.kit.wire.peer import caller_from
from laconic.kit.wire.posts.answering import Answering
from laconic.kit.wire.posts.bodies import post_in
from laconic.kit.wire.posts.heads import AUTHORIZATION, Heads
from laconic.kit.wire.posts.replies import PostReply
from laconic.kit.wire.tokens import Tokens

__all__ = ["Entrance", "Failed"]

Failed = Callable[[Exception, Scope], ASGIApp]
"""Returns what an exception means for whoever made a request."""


class Entrance:
    """The outermost layer of the application."""

    def __init__(
        self,
        app: ASGIApp,
        answering: Answering,
        heads: Heads,
        tokens: Tokens | None,
        always: RawHeaders,
        failed: Failed,
    ) -> None:
        self._app = app
        self._answering = answering
        self._heads = heads
        self._tokens = tokens
        self._always = always  # the headers of every answer
        self._failed = failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with what was read of it."""
        headers = self._heads.read(scope)
        try:
            caller = None if headers is None else await self._caller(scope, headers.get(AUTHORIZATION, b""))
        except Exception as error:  # whoever keeps the tokens cannot be asked
            await self._failed(error, scope)(scope, receive, headed(send, self._always))
            return
        if headers is None or caller is None:
            await self._app(scope, receive, send)
            return
        read = await self._body(receive)
        if read is None:
            return  # the client disconnected
        body, is_whole = read
        post = post_in(body) if is_whole else None
        if post is not None and self._heads.fit(headers, post, caller):
            await self._answering.answer(post, caller, PostReply(receive, headed(send, self._always)))
        else:
            await self._app(scope, _again(body, is_whole, receive), send)

    async def _body(self, receive: Receive) -> tuple[bytes, bool] | None:
        """Return the body, and whether that is all of it: one that is too long is not read to its end."""
        parts: list[bytes] = []
        left = self._heads.longest
        while left >= 0:
            event = await receive()
            if event["type"] != "http.request":
                return None
            parts.append(event.get("body", b""))
            left -= len(parts[-1])
            if not event.get("more_body"):
                break
        return b"".join(parts), left >= 0

    async def _caller(self, scope: Scope, authorization: bytes) -> Caller | None:
        """Return who makes a request; None without a valid token, if one is needed."""
        if self._tokens is None:
            return caller_from(None, scope["headers"])
        kind, _, given = authorization.decode("latin-1").partition(" ")
        token = await self._tokens.verify_token(given) if kind.lower() == "bearer" else None
        if token is None or READ not in token.scopes or token.resource != self._tokens.resource:
            return None
        if token.expires_at is not None and token.expires_at < time.time():
            return None
        return caller_from(token, scope["headers"])


def _again(body: bytes, is_whole: bool, receive: Receive) -> Receive:
    """Return what receives a body that was read already, and then the rest."""
    kept: list[Event] = [{"type": "http.request", "body": body, "more_body": not is_whole}]

    async def read() -> Event:
        return kept.pop() if kept else await receive()

    return read
