"""One request to a route: its body is counted, and what it raises becomes an answer."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laconic.kit.errors import Failure
from laconic.kit.redaction import Redactor
from laconic.kit.wire.door.doors import Door
from laconic.kit.wire.door.failed import answer_of, answer_to, too_long

__all__ = ["GuardedVisit", "cookie_of"]


class GuardedVisit:
    """One request: its body is counted, its answer gets the headers, and what it raises becomes an answer."""

    def __init__(
        self,
        app: ASGIApp,
        door: Door,
        redactor: Redactor,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        self._app = app
        self._door = door
        self._redactor = redactor
        self._scope = _with_token(scope, door.cookie)
        self._receive = receive
        self._send = send
        self._left = door.most_body
        self._started = False

    async def run(self, refusal: tuple[int, Failure] | None) -> None:
        """Answer the request."""
        if refusal is not None:
            status, failure = refusal
            await self._answer(failure, status)
            return
        try:
            await self._app(self._scope, self._read, self._write)
        except Exception as error:
            if self._started:
                raise
            if self._left >= 0:
                answer = answer_to(error, self._scope, self._redactor, self._door.envelope)
                await answer(self._scope, self._receive, self._write_now)
        if self._left < 0 and not self._started:
            await self._answer(too_long(self._door.most_body), 413)

    async def _answer(self, failure: Failure, status: int) -> None:
        answer = answer_of(failure, self._redactor, status, envelope=self._door.envelope)
        await answer(self._scope, self._receive, self._write_now)

    async def _read(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                return {"type": "http.disconnect"}  # whatever it does next, it is answered with 413
        return message

    async def _write(self, message: Message) -> None:
        if self._left >= 0 or self._started:
            await self._write_now(message)

    async def _write_now(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
        await self._send(message)


def _with_token(scope: Scope, cookie: str | None) -> Scope:
    """Return a request whose token is in its header, where a program would send it."""
    if cookie is None:
        return scope
    headers = Headers(scope=scope)
    token = None if "authorization" in headers else cookie_of(headers, cookie)
    if token is None:
        return scope
    return {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode("latin-1"))]}


def cookie_of(headers: Headers, name: str) -> str | None:
    """Return a cookie of a request."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if found is None else found.value
