"""Bearer tokens: who may call over the network, checked against this server's own address."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import jwt
from mcp.server.auth.provider import AccessToken

from laconic.kit.peer import READ, SCOPES


@dataclass(frozen=True)
class Tokens:
    """Accepts the tokens in the configuration, and signed tokens made for this server."""

    resource: str  # this server's address: a token made for another server is refused
    static: Mapping[str, str] = field(default_factory=dict)  # subject -> token, or sha256:HEX of one
    read_only: Sequence[str] = ()  # subjects that may only read
    issuer: str | None = None
    key: str | None = None  # a shared secret or a public key, for signed tokens
    algorithms: Sequence[str] = ("RS256", "ES256", "HS256")

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return whose token it is; None if it is not valid."""
        return self._static(token) or self._signed(token)

    def _static(self, token: str) -> AccessToken | None:
        given = hashlib.sha256(token.encode()).hexdigest()
        found: str | None = None
        for subject, kept in self.static.items():  # always all, so that the time taken reveals nothing
            digest = kept.removeprefix("sha256:") if kept.startswith("sha256:") else _digest(kept)
            if hmac.compare_digest(digest, given):
                found = subject
        if found is None:
            return None
        scopes = [READ] if found in self.read_only else list(SCOPES)
        return AccessToken(token=token, client_id=found, subject=found, scopes=scopes, resource=self.resource)

    def _signed(self, token: str) -> AccessToken | None:
        if self.key is None or self.issuer is None:
            return None
        try:
            claims = jwt.decode(
                token,
                self.key,
                algorithms=self._algorithms(),
                audience=self.resource,
                issuer=self.issuer,
                options={"require": ["exp", "aud", "iss", "sub"]},
            )
        except jwt.InvalidTokenError:
            return None
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id", claims["sub"])),
            subject=str(claims["sub"]),
            scopes=str(claims.get("scope", READ)).split(),
            expires_at=int(claims["exp"]),
            resource=self.resource,
            claims=claims,
        )

    def _algorithms(self) -> list[str]:
        """Never check a shared-secret signature with a public key: the oldest attack on signed tokens."""
        is_public = "BEGIN" in (self.key or "")
        return [name for name in self.algorithms if name.startswith("HS") is not is_public]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
