"""The application: lets requests in, carries them out, and lets things go wrong on demand."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from laconic.sandbox.faults import Fault, Faults
from laconic.sandbox.google.answering import AnsweredGoogle, AskedGoogle
from laconic.sandbox.google.carrying_out import carried_out
from laconic.sandbox.google.quotas import Allowance
from laconic.sandbox.google.refusals import GoogleRefusal, scope_missing
from laconic.sandbox.google.routing import Route, route_of
from laconic.sandbox.google.signing_in import REFRESH, GoogleSignIn, OAuthRefusal
from laconic.sandbox.google.site.blobs import Blobs
from laconic.sandbox.google.slides.thumbnails import PICTURES, picture
from laconic.sandbox.state import NotKept, State

__all__ = ["PracticeGoogle", "SeenByGoogle"]

_SEEN, _KEPT = 2_000, 20_000  # requests that are remembered, and bytes of a body that is
_CONSENT: Final = "o/oauth2/v2/auth"
_JSON: Final = "application/json; charset=UTF-8"
_ODD: Final = ("empty", "incomplete")  # faults of a list's answer


@dataclass(frozen=True)
class SeenByGoogle:
    """A request as it arrived."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    body: bytes
    headers: Mapping[str, str]


class PracticeGoogle:
    """A small Google: an ASGI application with a state, quotas that can be set, and faults on demand."""

    def __init__(self, state: State, blobs: Blobs, clock: Callable[[], float] = time.time) -> None:
        self.state, self.blobs, self.clock = state, blobs, clock
        self.account = ("alice@harbour.example", REFRESH)  # whom to sign in as
        self.faults = Faults()
        self.sign_in = GoogleSignIn()
        self.allowance = Allowance()
        self.seen: deque[SeenByGoogle] = deque(maxlen=_SEEN)  # the last ones

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        path = (scope.get("raw_path") or scope["path"].encode()).decode().partition("?")[0].lstrip("/")
        raw = await request.body()
        body = raw if len(raw) <= _KEPT else b""
        self.seen.append(
            SeenByGoogle(request.method, path, parse_qs(request.url.query), body, request.headers)
        )
        fault = self.faults.take(request.method, path)
        if fault is not None and not fault.after and await _goes_wrong(fault, path, scope, receive, send):
            return
        odd = fault.what if fault is not None and fault.what in _ODD else ""
        response = self._response(request, path, raw, odd)
        if fault is not None and fault.after and await _goes_wrong(fault, path, scope, receive, send):
            return
        await response(scope, receive, send)

    def _response(self, request: Request, path: str, raw: bytes, odd: str = "") -> Response:
        now = self.clock()
        try:
            with self.state.turn():
                if path in ("token", "revoke", _CONSENT):
                    return self._signing_in(request, path, raw, now)
                if path.startswith(PICTURES):
                    return _success(picture(self.blobs, path, now), now)
                return _success(self._answered(request, route_of(request.method, path), raw, now, odd), now)
        except OAuthRefusal as refusal:
            return _json(refusal.body, refusal.status, now)
        except GoogleRefusal as refusal:
            return _json(refusal.body("drive" if "drive/" in path else "newer"), refusal.status, now)
        except NotKept as error:
            told = GoogleRefusal(error.status, "notKept", str(error))
            return _json(told.body("drive" if "drive/" in path else "newer"), told.status, now)

    def _signing_in(self, request: Request, path: str, raw: bytes, now: float) -> Response:
        if path == _CONSENT:
            query = dict(request.query_params)
            where = self.sign_in.consented(self.state, query, self.account[0], now)
            return Response(status_code=302, headers={"location": where})
        form = {name: values[-1] for name, values in parse_qs(raw.decode()).items()}
        if path == "revoke":
            self.sign_in.revoked(self.state, form.get("token", ""))
            return _json({}, 200, now)
        return _json(self.sign_in.exchanged(self.state, form, now), 200, now)

    def _answered(
        self, request: Request, route: Route, raw: bytes, now: float, odd: str = ""
    ) -> AnsweredGoogle:
        person = self.sign_in.person_of(self.state, request.headers.get("authorization", ""), now)
        if not set(route.facts["scopes"]) & set(person.scopes):
            raise scope_missing(route.api)
        self.allowance.enter(route, person.email, now)
        moment = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        query = parse_qs(request.url.query, keep_blank_values=True)
        base = f"{request.url.scheme}://{request.url.netloc}"
        asked = AskedGoogle(
            self.state, self.blobs, person, moment, {}, headers=request.headers, address=base, odd=odd
        )
        return carried_out(route, asked, query, raw, is_upload=request.url.path.startswith("/upload/"))


async def _goes_wrong(fault: Fault, path: str, scope: Scope, receive: Receive, send: Send) -> bool:
    """Let a fault happen; False if the request is answered all the same, after a while."""
    api = "drive" if "drive/" in path else "newer"
    match fault.what:
        case "empty" | "incomplete":
            return False  # the answer itself is odd
        case "hang":
            await asyncio.sleep(fault.seconds)
            return False
        case "cut":
            head = [(b"content-type", b"application/json"), (b"content-length", b"9999")]
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await send({"type": "http.response.body", "body": b'{"files": ['})
            return True
        case "throttle" if api == "drive":
            refusal = GoogleRefusal(403, "userRateLimitExceeded", "User Rate Limit Exceeded")
        case "throttle":
            refusal = GoogleRefusal(
                429, "RATE_LIMIT_EXCEEDED", "Quota exceeded for quota metric 'Read requests'"
            )
        case "expire":
            refusal = GoogleRefusal(401, "authError", "Invalid Credentials")
        case "bad_gateway":
            refusal = GoogleRefusal(502, "backendError", "Bad Gateway")
        case _:
            refusal = GoogleRefusal(503, "backendError", "The service is currently unavailable.")
    head_fields = {"retry-after": str(round(fault.seconds))} if fault.seconds else None
    response = Response(json.dumps(refusal.body(api)), refusal.status, head_fields, media_type=_JSON)
    await response(scope, receive, send)
    return True


def _success(answered: AnsweredGoogle, now: float) -> Response:
    if answered.content is not None:
        return Response(answered.content, answered.status, dict(answered.headers), media_type=answered.media)
    if answered.data is None:
        return Response(b"", answered.status if answered.status != 200 else 204, dict(answered.headers))
    return _json(answered.data, answered.status, now, answered.headers)


def _json(data: Any, status: int, now: float, headers: Mapping[str, str] | None = None) -> Response:
    moment = datetime.fromtimestamp(now, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    return Response(json.dumps(data), status, {"date": moment, **(headers or {})}, media_type=_JSON)
