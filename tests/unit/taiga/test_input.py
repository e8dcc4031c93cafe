"""What the schemas refuse is refused before any request; the message says what is wrong."""

from typing import Any

import pytest

from laconic.kit.testing import connect
from laconic.servers.taiga.tools import taiga
from tests.contract.test_taiga import LEAN_TOKENS
from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import error_of, serving, settings

LONG = "x" * 100_001
TASK = {"userStoryId": "1", "subject": "s"}
CHANGES = ("taiga_update_epic", "taiga_update_user_story", "taiga_update_task", "taiga_update_issue")


@pytest.mark.requirement("001-5.1", "001-5.2", "001-5.3", "001-5.4", "001-15")
@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("taiga_set_active_project", {}, "projectId"),
        ("taiga_set_active_project", {"projectId": 1, "projectSlug": "a"}, "projectId"),
        ("taiga_set_active_project", {"projectId": 1.5}, "projectId"),
        ("taiga_set_active_project", {"projectId": 1, "x": 1}, "Unknown argument 'x'"),
        ("taiga_create_task", {"subject": "s"}, "Missing userStoryId"),
        ("taiga_create_task", {"userStoryId": "1"}, "Missing subject"),
        ("taiga_create_task", TASK | {"subject": ""}, "Invalid subject"),
        ("taiga_create_task", TASK | {"subject": "   "}, "Invalid subject"),
        ("taiga_create_task", TASK | {"subject": "x" * 201}, "Invalid subject"),
        ("taiga_create_task", TASK | {"subject": "a\0b"}, "subject"),
        ("taiga_create_task", TASK | {"tags": ["x" * 41]}, "tags"),
        ("taiga_create_task", TASK | {"tags": [""]}, "tags"),
        ("taiga_create_task", TASK | {"tags": ["t"] * 33}, "tags"),
        ("taiga_create_task", TASK | {"priority": "urgent"}, "Invalid priority"),
        ("taiga_create_task", TASK | {"subjct": "x"}, "Did you mean 'subject'?"),
        ("taiga_update_task", {"id": 1}, "subject"),
        ("taiga_update_task", {"subject": "x"}, "Missing id"),
        ("taiga_update_task", {"id": 1.5, "subject": "x"}, "Invalid id"),
        ("taiga_update_task", {"id": 1, "blocked": {"reason": "x"}}, "isBlocked"),
        ("taiga_update_task", {"id": 1, "blocked": {"isBlocked": True, "reason": "x" * 501}}, "reason"),
        ("taiga_update_task", {"id": 1, "blocked": {"isBlocked": True, "why": "x"}}, "why"),
        ("taiga_delete_task", {}, "Missing id"),
        ("taiga_delete_task", {"id": 1, "force": True}, "Unknown argument 'force'"),
        ("taiga_list_tasks", {"offset": -1}, "Invalid offset"),
        ("taiga_list_tasks", {"limit": 0}, "Invalid limit"),
        ("taiga_search_tasks", {"query": "x" * 501}, "Invalid query"),
        ("taiga_search_tasks", {"query": "a\0b"}, "query"),
    ],
)
async def test_what_does_not_fit_is_refused_before_any_request(
    site: TaigaServer, tool: str, arguments: dict[str, Any], words: str
) -> None:
    async with serving(site, output="both") as client:
        reply = await client.send(tool, arguments)
    assert error_of(reply)["category"] == "validation" and words in reply.text
    assert site.asked == []


@pytest.mark.requirement("001-18", "001-3.3")
async def test_the_details_of_an_error_have_every_field_that_is_wrong(site: TaigaServer) -> None:
    async with serving(site, output="structured") as client:
        one = error_of(await client.call("taiga_create_task", userStoryId=1))
        two = error_of(await client.call("taiga_create_task", userStoryId=1, subject="", priority="urgent"))
        ours = error_of(await client.call("taiga_update_task", id=1, statusId="Nowhere"))
        none = error_of(await client.call("taiga_get_task", id=999))
    assert one["details"] == {"subject": "Missing subject: string of 1 to 200 characters."}
    assert {name: words.split()[:2] for name, words in two["details"].items()} == {
        "subject": ["Invalid", "subject"],
        "priority": ["Invalid", "priority"],
    }
    assert ours["details"] == {"statusId": ours["message"]}
    assert "details" not in none


@pytest.mark.requirement("001-9")
@pytest.mark.parametrize("tool", [*CHANGES, *(name.replace("update", "create") for name in CHANGES)])
async def test_a_description_over_100_000_characters_is_refused_and_not_repeated(
    site: TaigaServer, tool: str
) -> None:
    given = {"description": LONG, **({"id": "1"} if "update" in tool else {"subject": "s"})}
    given |= {"userStoryId": "1"} if tool == "taiga_create_task" else {}
    async with serving(site, output="both") as client:
        reply = await client.send(tool, given)
        fits = await client.send(tool, given | {"description": LONG[1:]})
    assert error_of(reply)["field"] == "description" and len(reply.text) < 1_000
    assert len(str(reply.structured)) < 2_000
    assert not fits.failed


@pytest.mark.requirement("001-9", "001-3.2")
async def test_a_list_never_has_more_than_asked_for_nor_more_than_200(site: TaigaServer) -> None:
    lines = "\n".join(f"Story {number}" for number in range(300))
    site.ask("POST", "userstories/bulk_create", {"project_id": 1, "bulk_stories": lines})
    async with serving(site, output="structured") as client:
        usual = (await client.call("taiga_list_user_stories")).structured["data"]
        most = (await client.call("taiga_list_user_stories", limit=500)).structured
        odd = (await client.call("taiga_list_user_stories", offset=7, limit=50)).structured["data"]
        site.app.faults.add("unpaged", path="userstories")
        wild = (await client.call("taiga_list_user_stories", limit=3)).structured["data"]
        end = (await client.call("taiga_list_user_stories", offset=310, limit=50)).structured["data"]
        beyond = (await client.call("taiga_list_user_stories", offset=1000)).structured["data"]

    assert (len(usual["items"]), usual["meta"]["offset"], usual["meta"]["limit"]) == (50, 0, 50)
    assert (len(most["data"]["items"]), most["data"]["meta"]["limit"]) == (200, 200)
    assert "200" in str(most["_notes"])
    assert len(odd["items"]) == 50 and odd["items"][0]["ref"] == usual["items"][7]["ref"]
    assert (len(wild["items"]), wild["meta"]["total"], wild["meta"]["hasNext"]) == (3, 320, True)
    assert (len(end["items"]), end["meta"]["hasNext"]) == (10, False)
    assert (beyond["items"], beyond["meta"]["total"], beyond["meta"]["hasNext"]) == ([], 320, False)


async def test_what_people_say_is_understood_where_it_is_clear(site: TaigaServer) -> None:
    async with serving(site) as client:
        for id in (1, "1", "#4", " #4 "):
            assert "Book a berth" in (await client.call("taiga_get_user_story", id=id, format="minimal")).text
        chosen = await client.call("taiga_get_user_story", id=1, fields=["status", "assignedTo"])
    assert chosen.text == "id: 1\nstatus: New"


async def test_the_lean_profile_lists_at_most_twelve_tools_and_the_rest_is_found(site: TaigaServer) -> None:
    from laconic.kit.testing import tool_tokens

    lean = settings(site, tools={"taiga": "lean"})
    async with connect(taiga, settings=lean) as client:
        tools = await client.tools()
        found = await client.call("tools_find", query="delete an epic")
        await client.call("taiga_set_active_project", projectId=1)
        done = await client.call("tools_read", name="taiga_get_epic", arguments={"id": 1})
    assert len(tools) <= 12 and sum(map(tool_tokens, tools)) <= LEAN_TOKENS
    assert "taiga_delete_epic" in found.text
    assert "Bookings" in done.text
