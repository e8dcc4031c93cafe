"""Personal tokens: made, listed, renamed and revoked by people, never with a token of this kind."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints

from laconic.library.tokens import TokenScope
from laconic.stores.keyring.keyring import KeptToken
from laconic.web.models.values import WHOLE
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.people import refuse_tokens

__all__ = ["TokenRoutes"]

_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), WHOLE]
_PATH = "/api/tokens/"
_WHAT = "tokens"


class NewToken(BaseModel):
    """A token to make."""

    name: _Name
    scope: TokenScope = "read"
    expires_in_days: Annotated[int, Field(ge=1, le=365)] | None = None


class TokenName(BaseModel):
    """Another name for a token."""

    name: _Name


class TokenRecord(BaseModel):
    """What is known of a token: never more than its beginning."""

    id: str
    name: str
    token_prefix: str
    scope: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class MadeToken(TokenRecord):
    """A token that was just made, with itself: it is shown this once."""

    token: str


class TokenList(BaseModel):
    """The tokens of a person, the newest first."""

    tokens: list[TokenRecord]


class TokenRoutes:
    """The routes for the tokens of the person who asks."""

    def __init__(self, toolset: str) -> None:
        self._toolset = toolset

    def operations(self) -> list[Operation]:
        """Return its operations."""
        one, of = f"{_PATH}{{id}}", self._toolset
        lost: dict[str, Any] = {"fails": (404,)}
        made: dict[str, Any] = {"status": 201, "body": NewToken}
        return [
            Operation("POST", _PATH, "create_token", self.create, of, MadeToken, **made),
            Operation("GET", _PATH, "list_tokens", self.listing, of, TokenList),
            Operation("PATCH", one, "rename_token", self.rename, of, TokenRecord, body=TokenName, **lost),
            Operation("DELETE", one, "revoke_token", self.revoke, of, status=204, **lost),
        ]

    async def create(self, visit: Visit) -> WebReply:
        """Make a token for the API and for `/mcp`; it is shown this once."""
        refuse_tokens(visit.caller, _WHAT)
        new: NewToken = visit.body
        kept, token = await visit.opened.tokens.make(
            new.name, visit.caller.name, new.scope, new.expires_in_days
        )
        return WebReply(MadeToken(**_record(kept), token=token))

    async def listing(self, visit: Visit) -> WebReply:
        """List your tokens, the newest first."""
        refuse_tokens(visit.caller, _WHAT)
        found = await visit.opened.tokens.all(visit.caller.name)
        return WebReply(TokenList(tokens=[TokenRecord(**_record(one)) for one in found]))

    async def rename(self, visit: Visit) -> WebReply:
        """Give a token another name."""
        refuse_tokens(visit.caller, _WHAT)
        kept = await visit.opened.tokens.rename(visit.id, visit.body.name, visit.caller.name)
        return WebReply(TokenRecord(**_record(kept)))

    async def revoke(self, visit: Visit) -> WebReply:
        """Revoke a token: the next request with it is refused."""
        refuse_tokens(visit.caller, _WHAT)
        await visit.opened.tokens.revoke(visit.id, visit.caller.name)
        return WebReply()


def _record(kept: KeptToken) -> dict[str, Any]:
    return {
        "id": kept.id,
        "name": kept.name,
        "token_prefix": kept.prefix,
        "scope": kept.scope,
        "created_at": _time(kept.created_at),
        "expires_at": _time(kept.expires_at),
        "last_used_at": _time(kept.last_used_at),
    }


def _time(at: float | None) -> datetime | None:
    return None if at is None else datetime.fromtimestamp(at, UTC)
