"""Bearer tokens: who may call over the network, checked against this server's own address."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import jwt
from mcp.server.auth.provider import AccessToken

from laconic.kit.errors import BadConfiguration
from laconic.kit.peer import COUNTED_AS, READ, SCOPES
from laconic.kit.redaction import redacted_log

__all__ = ["STATIC", "Holder", "Tokens", "Verifier"]

log = redacted_log("laconic.http")

STATIC: Final = "token"  # names the subjects of tokens in the configuration, `token|ann`
_MARK: Final = "sha256:"
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_WRITE: Final = "Give a long random token, or sha256: and its digest."
_EACH: Final = 60.0  # seconds between two notes that a token was used
_PATIENCE: Final = 2.0  # seconds that such a note may take
_MOST: Final = 10_000  # tokens whose last note is remembered


@dataclass(frozen=True)
class Holder:
    """Whose token it is, and what it allows until when."""

    subject: str
    scopes: Iterable[str] = (READ,)
    expires_at: float | None = None  # seconds since 1970
    claims: Mapping[str, Any] = field(default_factory=dict)  # what else tools may know of it
    counted_as: str = ""  # the caller whose limits it shares, such as who made it; none: its own


class Verifier(Protocol):
    """Knows tokens that a server keeps itself, such as those that people make on a page."""

    name: str  # names its subjects apart from those of others: the caller is `name|subject`

    async def verify(self, token: str) -> Holder | None:
        """Return whose token it is; None if it does not know it."""

    async def used(self, token: str, at: float) -> None:
        """Note that a token was used; called at most once a minute for each."""


@dataclass(frozen=True)
class Tokens:
    """Accepts the tokens in the configuration, and signed tokens made for this server."""

    resource: str  # this server's address: a token made for another server is refused
    static: Mapping[str, str] = field(default_factory=dict)  # subject -> token, or sha256:HEX of one
    read_only: Sequence[str] = ()  # subjects that may only read
    issuer: str | None = None
    key: str | None = None  # a shared secret or a public key, for signed tokens
    algorithms: Sequence[str] = ("RS256", "ES256", "HS256")
    also: Sequence[Verifier] = ()  # asked in this order about tokens that are neither
    now: Callable[[], float] = time.time
    _noted: OrderedDict[str, float] = field(
        default_factory=OrderedDict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Refuse tokens that anybody could send, digests that no token has, and names that are not unique.

        Raises:
            BadConfiguration: there is one.
        """
        for subject, kept in self.static.items():
            digest = _digest_of(kept)
            if not kept.strip() or digest == _digest(""):
                raise BadConfiguration(f"The token of '{subject}' is empty.", advice=_WRITE)
            if not _DIGEST.fullmatch(digest):
                words = f"The token of '{subject}' should be a digest of 64 hexadecimal digits after sha256:."
                raise BadConfiguration(words, advice=_WRITE)

        taken = {STATIC, self.issuer}
        for verifier in self.also:
            if not verifier.name or "|" in verifier.name or verifier.name in taken:
                words = f"A verifier of tokens cannot have the name '{verifier.name}'."
                raise BadConfiguration(words, advice="Give each another name, without '|'.")
            taken.add(verifier.name)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return whose token it is; None if it is not valid."""
        return self._static(token) or self._signed(token) or await self._kept(token)

    async def _kept(self, token: str) -> AccessToken | None:
        """Return whose token it is, if one of the verifiers knows it."""
        for verifier in self.also:
            holder = await verifier.verify(token)
            if holder is None:
                continue
            if holder.expires_at is not None and holder.expires_at <= self.now():
                return None
            await self._note(verifier, token)
            counted = {COUNTED_AS: holder.counted_as} if holder.counted_as else {}
            return AccessToken(
                token=token,
                client_id=holder.subject,
                subject=holder.subject,
                scopes=list(holder.scopes),
                expires_at=None if holder.expires_at is None else int(holder.expires_at),
                resource=self.resource,
                claims={**holder.claims, **counted, "iss": verifier.name, "sub": holder.subject},
            )
        return None

    async def _note(self, verifier: Verifier, token: str) -> None:
        """Tell a verifier that a token was used; a failure must not keep its holder out."""
        key, now = _digest(token), self.now()
        if now - self._noted.get(key, float("-inf")) < _EACH:
            return
        self._noted[key] = now
        self._noted.move_to_end(key)
        if len(self._noted) > _MOST:
            self._noted.popitem(last=False)
        try:
            async with asyncio.timeout(_PATIENCE):
                await verifier.used(token, now)
        except Exception:
            log.warning("%s could not note that a token was used", verifier.name, exc_info=True)

    def _static(self, token: str) -> AccessToken | None:
        given = hashlib.sha256(token.encode()).hexdigest()
        found: str | None = None
        for subject, kept in self.static.items():  # always all, so that the time taken reveals nothing
            if hmac.compare_digest(_digest_of(kept), given):
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
        claims.pop(COUNTED_AS, None)  # whoever signs it does not decide about our limits
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


def _digest_of(kept: str) -> str:
    """Return the digest of a token in the configuration, which is the token or its digest."""
    return kept.removeprefix(_MARK).lower() if kept.startswith(_MARK) else _digest(kept)
