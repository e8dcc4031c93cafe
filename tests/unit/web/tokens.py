"""Tokens for tests: of an owner, of somebody who may only read, and personal ones."""

from typing import Any

from httpx2 import AsyncClient

OWNER, READER = "the-token-of-the-owner", "the-token-of-a-reader"
OTHER = "the-token-of-another-owner"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def personal(client: AsyncClient, **given: Any) -> dict[str, Any]:
    made = await client.post("/api/tokens/", json={"name": "t", **given}, headers=bearer(OWNER))
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found
