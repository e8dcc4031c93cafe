"""Callers: each has its own project, over restarts; one account is one caller's unless it is shared."""

from pathlib import Path
from typing import Any

from laconic.kit import Caller, Endpoint, HomeFolders
from laconic.kit.peer import SilentPeer
from laconic.sandbox.taiga.site.samples import PASSWORD
from laconic.servers.taiga.service.access.logging_in import home_of, log_in, log_out
from laconic.servers.taiga.tools import taiga
from laconic.stores import open_keyvalue
from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import settings

ADA, BEN = Caller("tokens|ada"), Caller("tokens|ben")


def endpoint(site: TaigaServer, folder: Path, **more: Any) -> Endpoint:
    store = open_keyvalue(str(folder / "state.db"))
    return Endpoint([taiga], settings=settings(site, **more), folders=HomeFolders.below(folder), state=store)


async def call(served: Endpoint, caller: Caller, tool: str, **arguments: Any) -> str:
    return (await served.call_tool(tool, arguments, SilentPeer(caller))).text


async def test_a_project_is_active_for_one_caller_and_over_restarts(
    site: TaigaServer, tmp_path: Path
) -> None:
    one = endpoint(site, tmp_path, shared=True)
    await call(one, ADA, "taiga_set_active_project", projectId=1)
    await call(one, BEN, "taiga_set_active_project", projectId=2)
    await one.close()
    other = endpoint(site, tmp_path, shared=True)
    of_ada = await call(other, ADA, "taiga_get_project", fields=["name"])
    of_ben = await call(other, BEN, "taiga_get_project", fields=["name"])
    of_nobody = await call(other, Caller("tokens|eve"), "taiga_get_project")
    await other.close()
    assert ("Harbour" in of_ada, "Ferry" in of_ben) == (True, True)
    assert "Active project not set" in of_nobody


async def test_a_cursor_goes_on_in_its_project_whatever_was_chosen_meanwhile(
    site: TaigaServer, tmp_path: Path
) -> None:
    served = endpoint(site, tmp_path, output="structured")
    peer = SilentPeer()
    await served.call_tool("taiga_set_active_project", {"projectId": 1}, peer)
    first = await served.call_tool("taiga_list_user_stories", {"limit": 2}, peer)
    assert first.structured is not None
    cursor = first.structured["data"]["meta"]["nextCursor"]
    await served.call_tool("taiga_set_active_project", {"projectId": 2}, peer)
    second = await served.call_tool("taiga_list_user_stories", {"cursor": cursor}, peer)
    mixed = await served.call_tool("taiga_list_user_stories", {"cursor": cursor, "projectId": 2}, peer)
    other = await served.call_tool("taiga_list_user_stories", {"projectId": 1, "limit": 1}, peer)
    await served.close()
    assert second.structured is not None and other.structured is not None
    assert [one["ref"] for one in second.structured["data"]["items"]] == [6, 7]
    assert mixed.failure is not None and "projectId" in mixed.text
    assert other.structured["data"]["meta"]["total"] == 20


async def test_a_second_caller_is_refused_the_account_unless_it_is_shared(
    site: TaigaServer, tmp_path: Path
) -> None:
    own = endpoint(site, tmp_path)
    first, second = [await call(own, one, "taiga_list_projects") for one in (ADA, BEN)]
    local = await call(own, Caller(), "taiga_list_projects")
    await own.close()
    later = endpoint(site, tmp_path)
    still = await call(later, BEN, "taiga_list_projects")
    await later.close()
    shared = endpoint(site, tmp_path, shared=True)
    allowed = await call(shared, BEN, "taiga_list_projects")
    await shared.close()
    assert "Harbour" in first and "Harbour" in allowed and "Harbour" in local
    for refused in (second, still):
        assert "[PERMISSION_DENIED]: This server has one Taiga account" in refused
        assert "laconic taiga login --caller" in refused and BEN.name in refused


async def test_a_caller_with_a_login_of_its_own_uses_that(site: TaigaServer, tmp_path: Path) -> None:
    served = endpoint(site, tmp_path)
    section, home = served.supplies.section("taiga"), served.supplies.home("taiga")
    done = await log_in(section, home_of(home, BEN.name), site.url, "dora", PASSWORD)
    of_ada, of_ben = [await call(served, one, "taiga_list_projects") for one in (ADA, BEN)]
    where = await log_out(home_of(home, BEN.name))
    again = endpoint(site, tmp_path)
    after = await call(again, BEN, "taiga_list_projects")
    await served.close()
    await again.close()
    assert (done.username, where) == ("dora", site.root)
    assert "Harbour" in of_ada and "Smugglers" not in of_ada
    assert "Smugglers" in of_ben and "Harbour" not in of_ben
    assert "This server has one Taiga account" in after
