"""Personal tokens: made by people for their programs, shown once, and kept as digests."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Final, Literal
from uuid import uuid4

from laconic.kit import BadArguments, Holder, NotFound
from laconic.kit.peer import READ, SCOPES
from laconic.library.authors import ISSUER, PREFIX_CLAIM
from laconic.stores import Missing
from laconic.stores.keyring.keyring import KeptToken, Keyring

__all__ = ["PREFIX", "PersonalTokens", "TokenScope", "shown_prefix"]

PREFIX: Final = "lac_"
TokenScope = Literal["read", "write"]
_SHOWN: Final = 12  # characters
_LONGEST: Final = 100  # characters of a name
_DAY: Final = 86_400.0  # seconds
_MOST_DAYS: Final = 365


def shown_prefix(token: str) -> str:
    """Return the beginning of a token, by which a person recognises it."""
    return token[:_SHOWN]


class PersonalTokens:
    """Makes, lists and revokes tokens, and knows those that clients send, for `/mcp` too."""

    name = ISSUER

    def __init__(self, keyring: Callable[[], Keyring], now: Callable[[], float] = time.time) -> None:
        """Take how to open the keyring, which happens when it is first needed."""
        self._keyring = keyring
        self._now = now

    async def make(
        self, name: str, owner: str, scope: TokenScope = "read", days: int | None = None
    ) -> tuple[KeptToken, str]:
        """Make a token, and return it: nobody can read it again.

        Raises:
            BadArguments: the name is blank or too long, or the days are not from 1 to 365.
        """
        if days is not None and not 1 <= days <= _MOST_DAYS:
            raise BadArguments(f"Expected 1 to {_MOST_DAYS} days, or none.", field="expires_in_days")
        token, now = PREFIX + secrets.token_urlsafe(32), self._now()
        kept = KeptToken(
            id=str(uuid4()),
            digest=_digest(token),
            prefix=shown_prefix(token),
            name=_named(name),
            owner=owner,
            scope=scope,
            created_at=now,
            expires_at=None if days is None else now + days * _DAY,
        )
        await self._keyring().add(kept)
        return kept, token

    async def all(self, owner: str | None = None) -> list[KeptToken]:
        """Return the tokens of one owner or of all, the newest first."""
        return await self._keyring().tokens(owner)

    async def rename(self, id: str, name: str, owner: str | None = None) -> KeptToken:
        """Give a token another name."""
        try:
            return await self._keyring().rename(id, _named(name), owner)
        except Missing:
            raise NotFound("Token", id) from None

    async def revoke(self, id: str, owner: str | None = None) -> KeptToken:
        """Remove a token: the next request with it is refused."""
        try:
            return await self._keyring().remove(id, owner)
        except Missing:
            raise NotFound("Token", id) from None

    async def verify(self, token: str) -> Holder | None:
        """Return whose token it is; None if it is none of ours, or was revoked."""
        if not token.startswith(PREFIX):
            return None
        kept = await self._keyring().find(_digest(token))
        if kept is None:
            return None
        scopes = [READ] if kept.scope == READ else list(SCOPES)
        claims = {PREFIX_CLAIM: kept.prefix}
        return Holder(kept.owner, scopes, kept.expires_at, claims, counted_as=kept.owner)

    async def used(self, token: str, at: float) -> None:
        """Note that a token was used."""
        await self._keyring().used(_digest(token), at)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _named(name: str) -> str:
    tidy = name.strip()
    if not 1 <= len(tidy) <= _LONGEST or "\0" in tidy:
        raise BadArguments(f"Expected a name of 1 to {_LONGEST} characters.", field="name")
    return tidy
