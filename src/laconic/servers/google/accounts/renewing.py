"""Renewing: how the token of each kind of account is made again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from laconic.kit import Refused
from laconic.servers.google.accounts.keys import OAuthClient, key_of
from laconic.servers.google.accounts.known import KnownAccount
from laconic.servers.google.accounts.remedies import how_to_sign_in
from laconic.servers.google.accounts.tokens import TokenMaker
from laconic.upstream import Credential


class NotSignedIn(Refused):
    """The account is not signed in, or no longer."""


@dataclass
class Renewing:
    """Makes credentials of one account."""

    account: KnownAccount
    tokens: TokenMaker
    scopes: Sequence[str]
    practice: str = field(default="", repr=False)  # the refresh token of a practice account

    async def renew(self, last: Credential | None) -> Credential:
        """Return a new credential in place of the last one.

        Raises:
            Unauthorised: Google does not accept what there is.
            NotSignedIn: there is nothing to sign in with.
        """
        if self.account.kind == "practice":
            return await self.tokens.from_refresh(OAuthClient("practice"), self.practice)
        if self.account.kind in ("service", "machine"):
            return await self._from_key()
        if last is None or not last.refresh:
            message = f"The account '{self.account.alias}' is not signed in."
            raise NotSignedIn(message, advice=how_to_sign_in(self.account))
        client = OAuthClient(last.more.get("client_id", ""), last.more.get("client_secret", ""))
        return await self.tokens.from_refresh(client, last.refresh)

    async def _from_key(self) -> Credential:
        key = key_of(self.account.key)
        if key.kind == "service_account":
            return await self.tokens.from_key(key.content, list(self.scopes), self.account.subject)
        content = key.content
        client = OAuthClient(content["client_id"], content["client_secret"])
        return await self.tokens.from_refresh(client, content["refresh_token"])
