"""The innermost layer of a server: a token, and the scope to write for what may change something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.datastructures import Headers
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from laconic.kit.errors import Failure, Refused
from laconic.kit.peer import READ, WRITE, Caller
from laconic.kit.redaction import Redactor
from laconic.kit.wire.door.doors import Door
from laconic.kit.wire.door.failed import answer_of
from laconic.kit.wire.door.guarded import is_to
from laconic.kit.wire.peer import caller_from

__all__ = ["Admission", "caller_of"]

_NONE: Final = Refused(
    "A token is needed.", advice="Send it in the header Authorization, after the word Bearer."
)
_WRONG: Final = Refused("The token is not valid: it is unknown, has expired or was revoked.")


class Admission:
    """The innermost layer: a token, and the scope to write for what may change something."""

    def __init__(self, app: ASGIApp, door: Door, own: Sequence[BaseRoute], challenge: str) -> None:
        self._app = app
        self._door = door
        self._own = own
        self._challenge = challenge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or ask for a token."""
        is_ours = scope["type"] == "http" and not is_to(self._own, scope)
        refusal = self._refusal(scope) if is_ours else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            status, failure = refusal
            answer = answer_of(failure, Redactor(), status, envelope=self._door.envelope)
            if status == 401:
                scheme, _, more = self._challenge.partition(" ")
                why = 'error="invalid_token", ' if failure is _WRONG else ""
                answer.headers["www-authenticate"] = f"{scheme} {why}{more}"
            await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, Failure] | None:
        if self._door.is_open(scope["path"]):
            return None
        user = scope.get("user")
        if not isinstance(user, AuthenticatedUser):
            return 401, _WRONG if _has_token(scope) else _NONE
        needed = READ if self._door.only_reads(scope["method"], scope["path"]) else WRITE
        if needed not in user.scopes:
            return 403, Refused(f"Your token lacks the scope '{needed}'.", code="ACCESS_DENIED")
        return None


def caller_of(scope: Scope) -> Caller:
    """Return who makes a request: its token's subject, or `local` where the server has no tokens."""
    user = scope.get("user")
    token = user.access_token if isinstance(user, AuthenticatedUser) else None
    return caller_from(token, scope["headers"])


def _has_token(scope: Scope) -> bool:
    return Headers(scope=scope).get("authorization", "").lower().startswith("bearer ")
