"""The account: signs in with what the settings have, and refreshes its token."""

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from typing import Any, Final

from laconic.kit import Refused
from laconic.upstream import ApiSession, Credential, Unauthorised

SIGN_IN_PATHS: Final = ("/auth", "/auth/refresh")
_HOW: Final = "Run 'laconic taiga login', or set LACONIC_TAIGA_USERNAME and LACONIC_TAIGA_PASSWORD."


class SignedOut(Refused):
    """The account is not signed in, or no longer."""


class Account:
    """Makes credentials: from a refresh token while there is a good one, else from a password."""

    def __init__(
        self, host: str, username: str = "", password: str = "", given: Credential | None = None
    ) -> None:
        self._host = host
        self._password = {"type": "normal", "username": username, "password": password}
        self._given = given  # a token or a refresh token that the user set
        self.session: ApiSession | None = None

    @property
    def _has_password(self) -> bool:
        return bool(self._password["username"] and self._password["password"])

    async def renew(self, last: Credential | None) -> Credential:
        """Return a new credential in place of the last one.

        Raises:
            Unauthorised: neither the refresh token nor the password is accepted.
            SignedOut: there is nothing to sign in with.
        """
        if last is None and self._given is not None and self._given.token:
            return self._given
        refresh = (last or self._given or Credential("")).refresh
        if refresh:
            try:
                return await self._signed_in("/auth/refresh", {"refresh": refresh})
            except Unauthorised:  # it was used by somebody else, or its answer was lost
                if not self._has_password:
                    raise
        if not self._has_password:
            what = "The token is no longer valid." if last else "Nobody is signed in."
            raise SignedOut(f"{self._host}: {what}", advice=_HOW)
        return await self._signed_in("/auth", self._password)

    async def _signed_in(self, path: str, body: Mapping[str, Any]) -> Credential:
        assert self.session is not None
        reply = await self.session.post(path, body=dict(body))
        found = reply.data if isinstance(reply.data, dict) else {}
        token, refresh = found.get("auth_token"), found.get("refresh")
        if not isinstance(token, str) or not token:  # requests without one get empty lists, no refusal
            raise SignedOut(f"{self._host} accepted the sign-in and sent no token.", advice=_HOW)
        return credential_of(token, refresh if isinstance(refresh, str) else "")


def credential_of(token: str, refresh: str = "") -> Credential:
    """Return a token as a credential, with the end that it names itself."""
    expires = claims_of(token).get("exp")
    return Credential(token, refresh, float(expires) if isinstance(expires, int | float) else None)


def claims_of(token: str) -> dict[str, Any]:
    """Return what a token says about itself; nothing if it cannot be read."""
    body = token.split(".")[1] if token.count(".") == 2 else ""
    try:
        claims = json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    except ValueError:
        return {}
    return claims if isinstance(claims, dict) else {}
