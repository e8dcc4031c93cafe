"""The door: what is checked before a request reaches the web routes beside `/mcp`.

Another site's page can make a browser send requests here, so a request must name this server as its host and,
if it changes something, come from a page of this server or from no page at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from math import ceil
from typing import Final
from uuid import uuid4

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laconic.kit.answers.cells import one_line
from laconic.kit.answers.envelope import TABLE, Envelope
from laconic.kit.errors import (
    BadArguments,
    Bug,
    Conflict,
    Failure,
    RateLimited,
    Refused,
    TimedOut,
    TooLarge,
    Unavailable,
    UpstreamDown,
)
from laconic.kit.peer import READ, WRITE, Caller
from laconic.kit.redaction import Redactor, redacted_log
from laconic.kit.translation import failure_of
from laconic.kit.wire.peer import caller_from

__all__ = ["Admission", "Door", "Guarded", "Names", "answer_of", "caller_of", "status_of"]

log = redacted_log("laconic.http")

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
_HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_STATUSES: Final[Mapping[type[Failure], int]] = {
    BadArguments: 400,
    Conflict: 409,
    Refused: 403,
    TooLarge: 413,
    RateLimited: 429,
    TimedOut: 504,
    UpstreamDown: 502,
    Unavailable: 503,
}


@dataclass(frozen=True)
class Door:
    """How the routes beside `/mcp` are protected."""

    most_body: int = 4 * 2**20  # bytes of a request
    open: Collection[str] = ()  # paths that need no token; one that ends with / includes all below it
    cookie: str | None = None  # the name of a cookie that may have the token, for pages in a browser
    headers: Mapping[str, str] = field(default_factory=dict)  # of every answer; they replace those of the kit
    envelope: Envelope = TABLE  # of failures

    def is_open(self, path: str) -> bool:
        """True if a path needs no token; one with dots may lead out of what is open."""
        if any(piece in (".", "..") for piece in path.replace("\\", "/").split("/")):
            return False
        return any(path == one or (one.endswith("/") and path.startswith(one)) for one in self.open)


@dataclass(frozen=True)
class Names:
    """The names of this server, as clients write them."""

    hosts: Collection[str]  # `name:port`, or `name:*` for any port
    public: str | None = None  # the origin that clients use, if it is another: `https://mcp.example.org`

    def has(self, host: str) -> bool:
        """True if a Host header names this server."""
        name, _, port = host.lower().rpartition(":")
        return host.lower() in self.hosts or (port.isdecimal() and f"{name}:*" in self.hosts)

    def is_own(self, origin: str, scheme: str, host: str) -> bool:
        """True if an Origin header names a page of this server."""
        return origin.lower() in (f"{scheme}://{host.lower()}", self.public)


def status_of(failure: Failure) -> int:
    """Return the HTTP status of a failure."""
    if failure.category == "not_found":
        return 404
    return next((_STATUSES[kind] for kind in type(failure).__mro__ if kind in _STATUSES), 500)


def caller_of(scope: Scope) -> Caller:
    """Return who makes a request: its token's subject, or `local` where the server has no tokens."""
    user = scope.get("user")
    token = user.access_token if isinstance(user, AuthenticatedUser) else None
    return caller_from(token, scope["headers"])


class Guarded:
    """The outermost layer: host, origin, size and headers, for all but the SDK's `own` routes."""

    def __init__(
        self, app: ASGIApp, door: Door, names: Names, own: Sequence[BaseRoute], redactor: Redactor
    ) -> None:
        self._app = app
        self._door = door
        self._names = names
        self._own = own
        self._redactor = redactor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http" or _is_to(self._own, scope):
            await self._app(scope, receive, send)  # the SDK checks `/mcp`; what tells about tokens is public
        else:
            visit = _Visit(self._app, self._door, self._redactor, scope, receive, send)
            await visit.run(self._refusal(scope))

    def _refusal(self, scope: Scope) -> tuple[int, Failure] | None:
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not self._names.has(hosts[0]):
            return 421, Refused("This server has another name.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._door.most_body:
            return 413, too_long(self._door.most_body)
        if scope["method"] not in _SAFE and not self._is_wanted(scope, headers, origins, hosts[0]):
            return 403, Refused("A request from another site was refused.")
        return None

    def _is_wanted(self, scope: Scope, headers: Headers, origins: list[str], host: str) -> bool:
        """True if a change is asked for by a page of ours, or by a program."""
        if origins:
            return len(origins) == 1 and self._names.is_own(origins[0], scope["scheme"], host)
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        if "authorization" in headers:
            return True  # no page can add it without being asked first
        has_cookie = self._door.cookie is not None and _cookie(headers, self._door.cookie) is not None
        is_form = headers.get("content-type", "").lower().startswith(_FORMS)
        return not has_cookie and not is_form


def _is_to(routes: Sequence[BaseRoute], scope: Scope) -> bool:
    """True if one of the routes answers a request, its method included."""
    return any(route.matches(scope)[0] is Match.FULL for route in routes)


def too_long(most: int) -> TooLarge:
    """Return the failure for a body that is too long."""
    return TooLarge(f"The request is longer than {most:,} bytes.", category="validation")


class Admission:
    """The innermost layer: a token, and the scope to write for what may change something."""

    def __init__(self, app: ASGIApp, door: Door, own: Sequence[BaseRoute], challenge: str) -> None:
        self._app = app
        self._door = door
        self._own = own
        self._challenge = challenge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or ask for a token."""
        is_ours = scope["type"] == "http" and not _is_to(self._own, scope)
        refusal = self._refusal(scope) if is_ours else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            status, failure = refusal
            answer = answer_of(failure, Redactor(), status, envelope=self._door.envelope)
            if status == 401:
                answer.headers["www-authenticate"] = self._challenge
            await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, Failure] | None:
        if self._door.is_open(scope["path"]):
            return None
        user = scope.get("user")
        if not isinstance(user, AuthenticatedUser):
            return 401, Refused("A token is needed.", advice="Send it as 'Authorization: Bearer TOKEN'.")
        needed = READ if scope["method"] in _SAFE else WRITE
        if needed not in user.scopes:
            return 403, Refused(f"Your token lacks the scope '{needed}'.", code="ACCESS_DENIED")
        return None


def answer_of(
    failure: Failure,
    redactor: Redactor,
    status: int | None = None,
    trace: str = "",
    envelope: Envelope = TABLE,
) -> JSONResponse:
    """Return a failure as an answer over HTTP, redacted."""
    waits = {} if failure.retry_after is None else {"retry-after": str(max(1, ceil(failure.retry_after)))}
    record = redactor.data_for_model(failure.record(trace=trace), safe=failure.safe)
    return JSONResponse(envelope.failure(record), status or status_of(failure), waits)


class _Visit:
    """One request: its body is counted, its answer gets the headers, and what it raises becomes an answer."""

    def __init__(
        self, app: ASGIApp, door: Door, redactor: Redactor, scope: Scope, receive: Receive, send: Send
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
                await self._failed(error)
        if self._left < 0 and not self._started:
            await self._answer(too_long(self._door.most_body), 413)

    async def _failed(self, error: Exception) -> None:
        what = one_line(f"{self._scope['method']} {self._scope['path']}")
        trace, failure = str(uuid4()), failure_of(error, what=what)
        if isinstance(failure, Bug):
            log.error("bug in %s, trace %s", what, trace, exc_info=error)
        await self._answer(failure, trace="" if failure.callers else trace)

    async def _answer(self, failure: Failure, status: int | None = None, trace: str = "") -> None:
        answer = answer_of(failure, self._redactor, status, trace, envelope=self._door.envelope)
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
            headers = MutableHeaders(scope=message)
            for name, value in {**_HEADERS, **self._door.headers}.items():
                headers.setdefault(name, value)
        await self._send(message)


def _with_token(scope: Scope, cookie: str | None) -> Scope:
    """Return a request whose token is in its header, where a program would send it."""
    headers = Headers(scope=scope)
    token = None if cookie is None or "authorization" in headers else _cookie(headers, cookie)
    if token is None:
        return scope
    return {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode("latin-1"))]}


def _cookie(headers: Headers, name: str) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if found is None else found.value
