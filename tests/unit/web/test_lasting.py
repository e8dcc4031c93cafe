"""Streams and their tokens: no event comes after a token was found to be no longer valid."""

import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from laconic.kit import Tokens
from laconic.library.tokens import PersonalTokens
from laconic.stores.keyring.keyring import Keyring
from laconic.web.lasting import validity, while_valid


async def _events(closed: list[str]) -> AsyncGenerator[bytes]:
    try:
        for number in range(5):
            yield b"%d" % number
    finally:
        closed.append("closed")


@pytest.mark.parametrize(("looks", "heard"), [([True] * 5, 5), ([True, True, False], 2), ([False], 0)])
async def test_a_stream_ends_when_its_token_does(looks: list[bool], heard: int) -> None:
    async def is_valid() -> bool:
        return looks.pop(0)

    closed: list[str] = []
    found = [event async for event in while_valid(_events(closed), is_valid, every=0)]
    assert (len(found), closed) == (heard, ["closed"])


async def test_a_token_is_not_looked_at_for_every_event() -> None:
    async def is_valid() -> bool:
        raise AssertionError("it was looked at")

    assert len([event async for event in while_valid(_events([]), is_valid)]) == 5


def _scope(token: AccessToken) -> dict[str, Any]:
    return {"user": AuthenticatedUser(token), "headers": []}


async def test_a_token_is_valid_until_it_expires_or_is_revoked(tmp_path: Path) -> None:
    keyring = Keyring(str(tmp_path / "tokens.db"))
    tokens = PersonalTokens(lambda: keyring)
    accepted = Tokens("http://127.0.0.1:8321/mcp", {"owner": "the-token-of-the-owner"}, also=[tokens])
    kept, token = await tokens.make("t", "ann", days=1)
    owner = await accepted.verify_token("the-token-of-the-owner")
    personal = await accepted.verify_token(token)
    assert owner is not None and personal is not None
    scopes: list[dict[str, Any]] = [{"headers": []}, _scope(owner), _scope(personal)]
    looks = [validity(one, tokens) for one in scopes]
    assert [await look() for look in looks] == [True, True, True]

    ended = personal.model_copy(update={"expires_at": int(time.time()) - 1})
    assert not await validity(_scope(ended), tokens)()
    await tokens.revoke(kept.id)
    assert [await look() for look in looks] == [True, True, False]
    await keyring.close()
