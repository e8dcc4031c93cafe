"""Tools that read or write by one of their arguments, where nothing may be changed."""

from typing import Literal

import pytest

from laconic.kit import Endpoint, Settings, Toolset
from laconic.kit.peer import Caller, SilentPeer
from laconic.kit.testing import ERAS, connect

READER = SilentPeer(Caller("ann", frozenset({"read"})))


def tags(kept: list[str]) -> Toolset:
    toolset = Toolset("tags", "Tags.")

    @toolset.update(reads_with={"operation": ["list"]})
    async def tags_all(operation: Literal["list", "add"], tag: str = "") -> list[str]:
        """List tags, or add one."""
        kept.extend([tag] if operation == "add" else [])
        return kept

    @toolset.update
    async def tags_clear() -> str:
        """Remove all."""
        kept.clear()
        return "Gone."

    return toolset


@pytest.mark.parametrize("era", ERAS)
async def test_a_read_only_server_keeps_what_only_reads_and_refuses_the_rest(era: str) -> None:
    kept = ["old"]
    async with connect(tags(kept), era=era, settings=Settings(read_only=True)) as client:
        names = [tool["name"] for tool in await client.tools()]
        read = await client.call("tags_all", operation="list")
        write = await client.call("tags_all", operation="add", tag="new")
        both = await client.send("tags_all", {"operation": "list", "Operation": "add", "tag": "new"})
        cleared = await client.call("tags_clear")
    assert "tags_all" in names and "tags_clear" not in names
    assert "old" in read.text
    assert write.error["code"] == "PERMISSION_DENIED" and "only takes operation: list" in write.text
    assert both.failed or "new" not in both.text
    assert cleared.failed and kept == ["old"]


async def test_a_token_that_may_only_read_does_the_same() -> None:
    kept = ["old"]
    endpoint = Endpoint([tags(kept)])
    assert (await endpoint.call_tool("tags_all", {"operation": "list"}, READER)).failure is None
    refused = await endpoint.call_tool("tags_all", {"operation": "add", "tag": "new"}, READER)
    assert refused.failure is not None and kept == ["old"]
    await endpoint.close()


async def test_who_may_write_is_not_hindered() -> None:
    kept: list[str] = []
    async with connect(tags(kept)) as client:
        await client.call("tags_all", operation="add", tag="new")
    assert kept == ["new"]
