"""Signing in: tokens for a password, and for a refresh token, which is accepted once."""

from __future__ import annotations

from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any
from uuid import uuid4

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.refusals import Refusal, bad_request, not_a_field, stale_token
from laconic.sandbox.taiga.site.samples import PASSWORD
from laconic.sandbox.tokens import read_token, signed

__all__ = ["SignIn"]

_REALM = {"WWW-Authenticate": 'Bearer realm="api"'}


@dataclass
class SignIn:
    """Makes and reads the tokens of a site."""

    access: float = 24 * 3600.0  # seconds that tokens are good for
    refresh: float = 8 * 24 * 3600.0
    secret: bytes = field(default_factory=lambda: token_bytes(32), repr=False)

    def user_of(self, state: State, header: str, now: float) -> Row | None:
        """Return who sent a request; None if nobody signed in.

        Raises:
            Refusal: the token is expired, broken or a refresh token.
        """
        scheme, _, token = header.partition(" ")
        if scheme != "Bearer":
            return None
        claims = read_token(token, self.secret)
        if claims is None or claims["token_type"] != "access" or claims["exp"] <= now:
            raise stale_token()
        return state.rows("users").get(claims["user_id"])

    def by_password(self, state: State, body: dict[str, Any], now: float) -> dict[str, Any]:
        """Sign in with a name or an e-mail address, in any case of letters."""
        if body.get("type") != "normal":
            raise bad_request("invalid login type")
        missing = {name: ["This field is required."] for name in ("username", "password") if name not in body}
        if missing:
            raise Refusal(400, missing)
        name = str(body["username"]).lower()
        found = [user for user in state.rows("users").values() if name in (user["username"], user["email"])]
        if not found or body["password"] != PASSWORD:
            words = {"detail": "No active account found", "code": "invalid_credentials"}
            raise Refusal(401, words, _REALM)
        user = found[0]
        return {**user, "full_name_display": user["full_name"], **self.pair(user["id"], now)}

    def by_refresh(self, state: State, body: dict[str, Any], now: float) -> dict[str, str]:
        """Exchange a refresh token; the old one is no longer accepted."""
        if "refresh" not in body:
            raise not_a_field(refresh=["This field is required."])
        claims = read_token(str(body["refresh"]), self.secret)
        is_good = claims and claims["token_type"] == "refresh" and claims["exp"] > now
        if not claims or not is_good or claims["jti"] in state.spent:
            words = {"detail": "Token is invalid or expired", "code": "token_not_valid"}
            raise Refusal(401, words, _REALM)
        state.spent.append(claims["jti"])
        return self.pair(claims["user_id"], now)

    def pair(self, user: int, now: float) -> dict[str, str]:
        """Return a new access token and a new refresh token."""
        return {
            "auth_token": self._token("access", user, now + self.access),
            "refresh": self._token("refresh", user, now + self.refresh),
        }

    def _token(self, kind: str, user: int, end: float) -> str:
        claims = {"token_type": kind, "exp": int(end), "jti": uuid4().hex, "user_id": user}
        return signed(claims, self.secret)
