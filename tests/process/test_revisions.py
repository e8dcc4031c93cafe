"""Every revision of the protocol on one server, and lists in pages."""

from pathlib import Path

import pytest

from laconic.kit import Endpoint, Settings, Toolset
from laconic.kit.testing import ERAS, connect
from tests.process.speaking import CLIENT, Stdio

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.mark.parametrize("revision", [*REVISIONS, "1999-01-01"])
def test_a_legacy_client_of_any_revision_is_served_in_its_own(workspace: Path, revision: str) -> None:
    server = Stdio(folder=workspace)
    try:
        answer = server.ask("initialize", protocolVersion=revision, capabilities={}, clientInfo=CLIENT)
        server.tell("notifications/initialized")
        expected = revision if revision in REVISIONS else REVISIONS[-1]
        assert answer["protocolVersion"] == expected
        assert server.call("memo_list") == "There are no memos."
    finally:
        server.leave()


def _many(count: int) -> Toolset:
    many = Toolset("many")
    for number in range(count):

        @many.read(name=f"many_{number:03d}")
        async def one() -> str:
            """Say one."""
            return "one"

    return many


@pytest.mark.parametrize("era", ERAS)
async def test_a_long_list_of_tools_comes_in_pages_in_one_order(era: str) -> None:
    endpoint = Endpoint([_many(23)], settings=Settings(list_page=10, budget=0))
    async with connect(endpoint=endpoint, era=era) as client:
        first = await client.client.list_tools()
        names = [tool["name"] for tool in await client.tools()]
        again = [tool["name"] for tool in await client.tools()]
    assert len(first.tools) == 10
    assert names == again == [f"many_{number:03d}" for number in range(23)]
    await endpoint.close()


@pytest.mark.parametrize("era", ERAS)
async def test_a_forged_cursor_of_a_list_is_refused(era: str) -> None:
    async with connect(_many(3), era=era) as client:
        with pytest.raises(Exception, match="Invalid cursor"):
            await client.client.list_tools(cursor="forged")
