"""The application: lets requests in, carries them out, and lets things go wrong on demand."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from laconic.sandbox.faults import Fault, Faults
from laconic.sandbox.state import NotKept, State
from laconic.sandbox.taiga.answering import Answered, Asked
from laconic.sandbox.taiga.refusals import Refusal, bad_request, broken, stale_token, throttled
from laconic.sandbox.taiga.routes import handler_of
from laconic.sandbox.taiga.signing_in import SignIn
from laconic.sandbox.taiga.site.people import Visitor
from laconic.sandbox.taiga.throttling import Throttle

__all__ = ["Practice", "Seen"]

_ROOT: Final = "/api/v1/"
_HTML: Final = "text/html; charset=utf-8"
_LONGEST_LINE: Final = 4094  # letters of a request's first line


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: str
    is_signed: bool
    body: Any


class Practice:
    """A small Taiga: an ASGI application with a state, rates that can be set, and faults on demand."""

    def __init__(
        self, state: State, account: tuple[str, str], clock: Callable[[], float] = time.time
    ) -> None:
        self.state, self.clock = state, clock
        self.account = account  # whom to sign in as: name and password
        self.faults = Faults()
        self.throttle = Throttle()
        self.sign_in = SignIn()
        self.seen: list[Seen] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        fault = self.faults.take(scope["method"], scope["path"].removeprefix(_ROOT))
        if fault is not None and fault.what == "unpaged":  # all rows, whatever was asked for
            scope["query_string"] = (
                re.sub(rb"page(_size)?=\d+", b"", scope["query_string"]) + b"&page_size=1000"
            )
        request = Request(scope, receive)
        raw = await request.body()
        path = request.url.path.removeprefix(_ROOT)
        is_before = fault is not None and not fault.after
        if fault is not None and is_before and await self._goes_wrong(fault, scope, receive, send):
            return
        response = self._response(request, path, raw)
        if fault is not None and not is_before and await self._goes_wrong(fault, scope, receive, send):
            return
        await response(scope, receive, send)

    def _response(self, request: Request, path: str, raw: bytes) -> Response:
        try:
            with self.state.turn():
                return _success(self._answered(request, path, raw))
        except Refusal as refusal:
            self._count_failed_login(path, refusal)
            return _refused(refusal)
        except NotKept as error:
            return PlainTextResponse(str(error), error.status)

    def _answered(self, request: Request, path: str, raw: bytes) -> Answered:
        body = _body(request, raw)
        header = request.headers.get("authorization", "")
        self.seen.append(Seen(request.method, path, request.url.query, bool(header), body))
        if not request.url.path.startswith(_ROOT):
            path = "no such place/"
        if len(str(request.url)) > _LONGEST_LINE:
            raise Refusal(400, "<html><title>Bad Request</title>", is_html=True)
        if path in ("auth", "auth/refresh") and request.method == "POST":
            return self._signed_in(path, header, body)
        user = self.sign_in.user_of(self.state, header, self.clock())
        self.throttle.enter(request.method, path, user["id"] if user else None, self.clock())
        handler, variables = handler_of(request.method, path)
        now = datetime.fromtimestamp(self.clock(), UTC).isoformat(timespec="milliseconds")
        asked = Asked(
            *(self.state, Visitor(self.state, user), dict(request.query_params), request.headers),
            address=str(request.url.replace(query="")),
            now=now.replace("+00:00", "Z"),
            given=body,
        )
        return handler(asked, **variables)

    def _signed_in(self, path: str, header: str, body: Any) -> Answered:
        self.throttle.check("login-fail", "", self.clock())
        if header:
            self._refuse_stale(header)
        if not isinstance(body, dict):
            raise bad_request("no object")
        exchange = self.sign_in.by_password if path == "auth" else self.sign_in.by_refresh
        return Answered(exchange(self.state, body, self.clock()))

    def _refuse_stale(self, header: str) -> None:
        """Refuse to sign in whoever sends an old token along, although the new one would be good."""
        try:
            self.sign_in.user_of(self.state, header, self.clock())
        except Refusal:
            raise (broken() if "login-fail" in self.throttle.rates else stale_token()) from None

    def _count_failed_login(self, path: str, refusal: Refusal) -> None:
        if path in ("auth", "auth/refresh") and refusal.status in (400, 401):
            self.throttle.count("login-fail", "", self.clock())

    async def _goes_wrong(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> bool:
        """Let a fault happen; False if the request is answered all the same, after a while."""
        match fault.what:
            case "unpaged":
                return False
            case "hang":
                await asyncio.sleep(fault.seconds)
                return False
            case "cut":
                await send(
                    {
                        "type": "http.response.start",
                        "status": 200,
                        "headers": _head(b"application/json", 9999),
                    }
                )
                await send({"type": "http.response.body", "body": b'[{"id": 1, "subj'})
                return True
        response = _refused(throttled(round(fault.seconds) or 1))
        match fault.what:
            case "bad_gateway":
                response = Response("<html><title>502 Bad Gateway</title>", 502, media_type=_HTML)
            case "unavailable":
                head = {"Retry-After": str(round(fault.seconds))} if fault.seconds else None
                response = Response("<html><title>503</title>", 503, head, media_type=_HTML)
            case "html":
                response = Response("<!doctype html><title>Sign in</title>", media_type=_HTML)
            case "empty":
                response = Response(b"", media_type="application/json")
            case "expire":
                response = _refused(stale_token())
        await response(scope, receive, send)
        return True


def _body(request: Request, raw: bytes) -> Any:
    if not raw:
        return {}
    if "xml" in request.headers.get("content-type", ""):
        raise Refusal(415, {"_error_message": "Unsupported media type in request."})
    try:
        return json.loads(raw)
    except ValueError:
        raise Refusal(
            400, {"_error_message": "JSON parse error", "_error_type": "taiga.base.exceptions.ParseError"}
        ) from None


def _success(answered: Answered) -> Response:
    content = b"" if answered.data is None else json.dumps(answered.data).encode()
    return Response(content, answered.status, dict(answered.headers), media_type="application/json")


def _refused(refusal: Refusal) -> Response:
    content = refusal.body if refusal.is_html and isinstance(refusal.body, str) else json.dumps(refusal.body)
    media = _HTML if refusal.is_html else "application/json"
    return Response(content, refusal.status, refusal.headers, media_type=media)


def _head(media: bytes, length: int) -> list[tuple[bytes, bytes]]:
    return [(b"content-type", media), (b"content-length", str(length).encode())]
