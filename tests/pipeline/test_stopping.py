"""A call that the server could not finish because it stops says what it changed."""

from __future__ import annotations

import asyncio

from laconic.kit import Endpoint, Toolset
from laconic.kit.peer import SilentPeer


async def test_a_write_that_was_never_started_changed_nothing() -> None:
    shop = Toolset("shop")
    is_open = asyncio.Event()

    @shop.create
    async def shop_open(name: str) -> str:
        """Open a shop."""
        is_open.set()
        await asyncio.sleep(60)
        return "Opened."

    endpoint = Endpoint([shop])
    arguments = {"name": "north", "idempotency_key": "k"}
    running = asyncio.ensure_future(endpoint.call_tool("shop_open", arguments, SilentPeer()))
    await is_open.wait()
    waiting = asyncio.ensure_future(endpoint.call_tool("shop_open", arguments, SilentPeer()))
    await asyncio.sleep(0.05)
    await endpoint.stop.drain(0)

    first, second = await running, await waiting
    for answer in (first, second):
        assert "The server is stopping and could not finish shop_open." in answer.text
    assert "It is not known whether anything was changed" in first.text
    assert "changed" not in first.meta["laconic/error"]
    assert "not known" not in second.text
    assert second.meta["laconic/error"]["changed"] is False
