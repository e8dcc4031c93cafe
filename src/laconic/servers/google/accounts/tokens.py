"""Tokens: made from a code, a refresh token or a signed assertion, at Google's token address."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from laconic.kit import BadConfiguration
from laconic.servers.google.accounts.keys import OAuthClient
from laconic.upstream import ApiSession, BadReply, Credential, Policy, Rejected, Retrying, Unauthorised

PATHS: Final = ("token", "revoke")
AUDIENCE: Final = "https://oauth2.googleapis.com/token"  # of assertions, wherever they are sent
_ASSERTION: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_HOUR: Final = 3600
_REFUSED: Final = ("invalid_grant", "invalid_client", "unauthorized_client", "access_denied")
_SCOPES: Final = "https://www.googleapis.com/auth/"


def token_policy(timeout: float) -> Policy:
    """Return how the token address is asked."""
    return Policy(timeout=timeout, unsigned=PATHS, retrying=Retrying(patience=10), kind=_kind)


def _kind(status: int, body: Any) -> type[Rejected] | None:
    is_refused = isinstance(body, Mapping) and body.get("error") in _REFUSED
    return Unauthorised if status in (400, 401, 403) and is_refused else None


@dataclass
class TokenMaker:
    """Asks for tokens."""

    session: ApiSession
    now: Callable[[], float] = time.time

    async def from_code(self, client: OAuthClient, code: str, verifier: str, redirect: str) -> Credential:
        """Return the credential for a code that a person's consent brought."""
        form = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier}
        return await self._made({**form, "redirect_uri": redirect}, client)

    async def from_refresh(self, client: OAuthClient, refresh: str) -> Credential:
        """Return a new credential; the refresh token stays unless Google sends another."""
        return await self._made({"grant_type": "refresh_token", "refresh_token": refresh}, client, refresh)

    async def from_key(self, key: Mapping[str, Any], scopes: list[str], subject: str) -> Credential:
        """Return a credential for a service account, which may act for a person."""
        form = {"grant_type": _ASSERTION, "assertion": self._assertion(key, scopes, subject)}
        return await self._made(form, None)

    async def revoke(self, token: str) -> None:
        """End a token, and all that came from the same consent."""
        await self._posted("revoke", {"token": token})

    def _assertion(self, key: Mapping[str, Any], scopes: list[str], subject: str) -> str:
        from google.auth import crypt, jwt  # slow to import

        try:
            signer = crypt.RSASigner.from_service_account_info(dict(key))  # type: ignore[no-untyped-call]
        except (ValueError, TypeError) as error:
            raise BadConfiguration(
                f"The private key of {key['client_email']} cannot be read.",
                advice="A person must download a new key file for it.",
            ) from error
        now = int(self.now())
        scope = " ".join(f"{_SCOPES}{name}" for name in scopes)
        claims = {"iss": key["client_email"], "aud": AUDIENCE, "iat": now, "exp": now + _HOUR, "scope": scope}
        claims |= {"sub": subject} if subject else {}
        signed: bytes = jwt.encode(signer, claims)  # type: ignore[no-untyped-call]
        return signed.decode()

    async def _made(
        self, form: Mapping[str, str], client: OAuthClient | None, refresh: str = ""
    ) -> Credential:
        own = {"client_id": client.id, "client_secret": client.secret} if client else {}
        found = await self._posted("token", {**form, **own})
        token = found.get("access_token")
        if not isinstance(token, str) or not token:
            raise BadReply("Google accepted the sign-in and sent no token.", changed=False)
        lasts = found.get("expires_in")
        expires = self.now() + float(lasts) if isinstance(lasts, int | float) else None
        new = found.get("refresh_token")
        more = {"scopes": str(found.get("scope", "")), **own}
        return Credential(token, new if isinstance(new, str) else refresh, expires, more)

    async def _posted(self, path: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        reply = await self.session.post(
            path,
            content=urlencode(form).encode(),
            headers={"content-type": "application/x-www-form-urlencoded"},
            resending="once" if form.get("grant_type") == "authorization_code" else "repeatable",
        )
        return reply.data if isinstance(reply.data, dict) else {}


def short_scopes(scope: str) -> list[str]:
    """Return the scopes that a token has, without what all of them begin with."""
    return [one.removeprefix(_SCOPES) for one in scope.split()]


def long_scope(scopes: list[str]) -> str:
    """Return scopes as Google writes them."""
    return " ".join(f"{_SCOPES}{name}" for name in scopes)
