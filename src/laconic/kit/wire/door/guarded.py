"""The outermost layer of a server: what is checked of every request before it reaches a route."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

from laconic.kit.errors import Failure, Refused
from laconic.kit.redaction import Redactor
from laconic.kit.wire.door.doors import SAFE, Door, Names
from laconic.kit.wire.door.failed import too_long
from laconic.kit.wire.door.visit import GuardedVisit, cookie_of
from laconic.kit.wire.headed import headed, protecting

__all__ = ["Guarded", "is_to"]

_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
_LIKE_A_FORM: Final = "A request that a form of any site could send was refused."
_JSON: Final = "Send JSON with Content-Type: application/json."
_LINE: Final = "\n"
_NOTHING: Final = "There is nothing at this address."


class Guarded:
    """The outermost layer: headers for all, and host, origin and size for all but the SDK's `own` routes."""

    def __init__(
        self, app: ASGIApp, door: Door, names: Names, own: Sequence[BaseRoute], redactor: Redactor
    ) -> None:
        self._app = app
        self._door = door
        self._always = protecting(door.headers)
        self._names = names
        self._own = own
        self._redactor = redactor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        elif is_to(self._own, scope):  # the SDK checks `/mcp`; what tells about tokens is public
            await self._app(scope, receive, headed(send, self._always))
        else:
            visit = GuardedVisit(
                self._app, self._door, self._redactor, scope, receive, headed(send, self._always)
            )
            await visit.run(self._refusal(scope))

    def _refusal(self, scope: Scope) -> tuple[int, Failure] | None:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        is_safe = scope["method"] in SAFE
        is_probe = is_safe and scope["path"] in self._door.probes
        if not is_probe and (len(hosts) != 1 or not self._names.has(hosts[0])):
            return 421, Refused("This server has another name.")
        if _LINE in scope["path"]:  # patterns of routes stop at it
            return 404, Refused(_NOTHING, code="RESOURCE_NOT_FOUND", category="not_found")
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]
        if lengths and (not lengths[0].isdigit() or int(lengths[0]) > self._door.most_body):
            return 413, too_long(self._door.most_body)
        unwanted = None if is_safe else self._unwanted(scope, hosts[0])
        return None if unwanted is None else (403, unwanted)

    def _unwanted(self, scope: Scope, host: str) -> Failure | None:
        """Refuse a change that is asked for neither by a page of ours nor by a program."""
        headers = Headers(scope=scope)
        foreign = Refused("A request from another site was refused.")
        origins = headers.getlist("origin")
        if origins:
            if len(origins) != 1:
                return foreign
            is_let_in = origins[0].lower() in self._names.sites and not self._has_only_a_cookie(headers)
            return None if is_let_in or self._names.is_own(origins[0], scope["scheme"], host) else foreign
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return foreign
        if "authorization" in headers:
            return None  # no page can add it without being asked first
        if self._has_only_a_cookie(headers):
            return foreign
        is_form = headers.get("content-type", "").lower().startswith(_FORMS)
        return Refused(_LIKE_A_FORM, advice=_JSON) if is_form else None

    def _has_only_a_cookie(self, headers: Headers) -> bool:
        """True if a browser added what the caller is known by, whoever made the page."""
        name = self._door.cookie
        return name is not None and "authorization" not in headers and cookie_of(headers, name) is not None


def is_to(routes: Sequence[BaseRoute], scope: Scope) -> bool:
    """True if one of the routes answers a request, its method included."""
    return _LINE not in scope["path"] and any(route.matches(scope)[0] is Match.FULL for route in routes)
