"""The account of a command: the section of the configuration, and where credentials are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from laconic.cli import logs
from laconic.cli.parameters import chosen

if TYPE_CHECKING:
    from laconic.kit.endpoint import Endpoint
    from laconic.kit.pipeline import Answer
    from laconic.kit.supplying.home import Home
    from laconic.servers.taiga.settings import TaigaSettings

__all__ = ["answer_of", "signing_in"]


@contextmanager
def signing_in() -> Iterator[tuple[TaigaSettings, Home]]:
    """Open what commands about an account need."""
    import asyncio

    endpoint = _endpoint()
    try:
        yield endpoint.supplies.section("taiga"), endpoint.supplies.home("taiga")
    finally:
        asyncio.run(endpoint.close())


def answer_of(tool: str) -> Answer:
    """Call a tool of the server without arguments."""
    import asyncio

    from laconic.kit.peer import SilentPeer

    async def called() -> Answer:
        endpoint = _endpoint()
        try:
            return await endpoint.call_tool(tool, {}, SilentPeer())
        finally:
            await endpoint.close()

    return asyncio.run(called())


def _endpoint() -> Endpoint:
    from laconic.cli.assemble import assemble

    options = chosen(servers=["taiga"])
    logs.set_up(options)
    return assemble(options)
