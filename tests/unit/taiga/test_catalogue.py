"""Every row of the catalogue does what it says, over real HTTP."""

from typing import Any

import pytest

from laconic.kit.testing import count_tokens
from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import data_of, serving

KINDS = {"epic": "epics", "user_story": "user_stories", "task": "tasks", "issue": "issues"}
TABLES = {"epic": "epics", "user_story": "userstories", "task": "tasks", "issue": "issues"}
CATALOGUE = (
    *("list_projects", "set_active_project", "get_project", "get_statuses", "get_members"),
    *(f"{verb}_{one}" for one in KINDS for verb in ("get", "create", "update", "delete")),
    *(f"{verb}_{many}" for many in KINDS.values() for verb in ("list", "search")),
)


@pytest.mark.requirement("001-2", "001-4")
async def test_the_29_tools_are_listed_with_underscores_and_on_request_with_dots(site: TaigaServer) -> None:
    async with serving(site, project=None) as client:
        listed = {tool["name"] for tool in await client.tools()}
    async with serving(site, project=None, dotted_names=True) as client:
        dotted = {tool["name"] for tool in await client.tools()}

    assert len(CATALOGUE) == 29
    assert {f"taiga_{name}" for name in CATALOGUE} <= listed
    assert {f"taiga.{name}" for name in CATALOGUE} <= dotted


@pytest.mark.requirement("001-4")
async def test_projects_are_listed_chosen_and_read(site: TaigaServer) -> None:
    async with serving(site, project=None, output="structured") as client:
        projects = data_of(await client.call("taiga.list_projects"))
        public = data_of(await client.call("taiga_list_projects", includePublic=True))
        chosen = data_of(await client.call("taiga_set_active_project", projectSlug="alice-harbour"))
        read = data_of(await client.call("taiga_get_project"))
        other = data_of(await client.call("taiga_get_project", projectId=2))

    assert [one["name"] for one in projects["items"]] == ["Dry dock", "Ferry", "Harbour", "Old pier"]
    assert "Open sea" in [one["name"] for one in public["items"]]
    assert chosen["id"] == 1
    assert (read["name"], read["isActive"], read["instance"]) == ("Harbour", True, site.root)
    assert (other["name"], other["isActive"]) == ("Ferry", False)
    assert not {"transferToken", "epicsCsvUuid"} & read.keys() and "secret" not in str(read)


@pytest.mark.requirement("001-4", "001-5.5")
@pytest.mark.parametrize("kind", KINDS)
async def test_an_item_is_created_read_changed_found_and_deleted(site: TaigaServer, kind: str) -> None:
    new = {"subject": "Zebra crossing", "description": "# Paint it", "tags": ["Road"], "assignedToId": "bob"}
    new |= {"userStoryId": "#4"} if kind == "task" else {}
    many = KINDS[kind]
    async with serving(site, output="structured") as client:
        made = data_of(await client.send(f"taiga_create_{kind}", new))
        id = made["id"]
        read = data_of(await client.call(f"taiga_get_{kind}", id=f"#{made['ref']}"))
        change = {"id": id, "statusId": "In progress", "blocked": {"isBlocked": True, "reason": "No paint"}}
        await client.send(f"taiga_update_{kind}", change)
        changed = data_of(await client.call(f"taiga_get_{kind}", id=id))
        listed = data_of(await client.send(f"taiga_list_{many}", {"tags": ["ROAD"]}))
        found = data_of(await client.send(f"taiga_search_{many}", {"query": "zeb cross"}))
        gone = data_of(await client.call(f"taiga_delete_{kind}", id=id))
        after = await client.call(f"taiga_get_{kind}", id=id)

    assert (read["subject"], read["description"]) == ("Zebra crossing", "# Paint it")
    assert (read["assignedTo"], read["assignedToId"], read["tags"]) == ("Bob Quay", 2, ["road"])
    assert (changed["status"], changed["isBlocked"], changed["blockedReason"]) == (
        *("In progress", True),
        "No paint",
    )
    assert [one["id"] for one in listed["items"]] == [id] == [one["id"] for one in found["items"]]
    assert gone == {"id": id, "deleted": True}
    assert after.structured["error"]["category"] == "not_found"
    assert id not in site.app.state.rows(TABLES[kind])


@pytest.mark.requirement("001-4")
async def test_statuses_are_by_kind_and_members_have_the_ids_that_assignments_take(site: TaigaServer) -> None:
    async with serving(site, output="structured") as client:
        tasks = data_of(await client.call("taiga_get_statuses", kind="task"))
        every = data_of(await client.call("taiga_get_statuses"))
        members = await client.call("taiga_get_members")

    assert [one["name"] for one in tasks["items"]] == [
        *("New", "In progress", "Ready for test", "Closed", "Needs Info"),
    ]
    assert {one["of"] for one in every["items"]} >= {"epic", "issue priority", "issue severity", "issue type"}
    people = data_of(members)["items"]
    assert [(one["id"], one["username"]) for one in people] == [(1, "alice"), (2, "bob"), (3, "carol")]
    assert [one["isOwner"] for one in people] == [True, False, False]
    assert members.structured["_notes"] == ["1 more person is invited and cannot be assigned yet."]
    assert "@" not in members.text and "@" not in str(members.structured)


@pytest.mark.parametrize(
    ("tool", "filters", "refs"),
    [
        ("taiga_list_user_stories", {"statusIds": ["Done"], "assigneeIds": ["bob"]}, [18]),
        ("taiga_list_user_stories", {"epicId": "#2", "limit": 3}, [8, 14, 20]),
        ("taiga_list_user_stories", {"sprintId": "Sprint 2", "isClosed": True}, [18]),
        ("taiga_list_user_stories", {"unassigned": True, "limit": 2}, [4, 7]),
        ("taiga_list_user_stories", {"tags": ["web"], "allTags": ["web", "office"]}, []),
        ("taiga_list_user_stories", {"modifiedSince": "2026-10-22T00:00:00+02:00"}, [23]),
        ("taiga_list_tasks", {"userStoryId": "#4", "assigneeIds": [2]}, [25]),
        ("taiga_list_issues", {"priorities": ["High"], "types": ["Enhancement"]}, [32, 29]),
        ("taiga_list_epics", {"assigneeIds": [1, 2]}, []),
        ("taiga_list_user_stories", {"sprintId": "none", "epicId": "none", "limit": 2}, [7, 13]),
        ("taiga_list_user_stories", {"statusIds": ["Done"] * 2_000, "limit": 1}, [8]),
        ("taiga_list_tasks", {"userStoryId": "none"}, []),
        ("taiga_search_user_stories", {"query": "book", "statusIds": ["New"]}, [4]),
    ],
)
async def test_filters_are_sent_in_the_form_that_taiga_understands(
    site: TaigaServer, tool: str, filters: dict[str, Any], refs: list[int]
) -> None:
    async with serving(site, output="structured") as client:
        found = data_of(await client.send(tool, filters))
    assert [one["ref"] for one in found["items"]] == refs


async def test_filters_that_are_too_long_for_an_address_are_refused_before_any_request(
    site: TaigaServer,
) -> None:
    async with serving(site) as client:
        tags = await client.call("taiga_list_issues", tags=[f"{number:040}" for number in range(100)])
        query = await client.call("taiga_search_issues", query="船" * 500)
        fits = await client.call("taiga_search_issues", query="é" * 500)
    for reply in (tags, query):
        assert reply.failed and "The filters are too long for one request. Pass fewer" in reply.text
    assert not fits.failed and site.asked == ["GET issues"]


async def test_a_list_says_that_it_has_no_descriptions_where_they_were_asked_for(site: TaigaServer) -> None:
    note = "Lists of Taiga have no descriptions: read an item by itself to see its own."
    async with serving(site) as client:
        full = await client.call("taiga_list_issues", limit=1, format="full")
        fields = await client.call("taiga_search_issues", query="map", fields=["description"])
        usual = await client.call("taiga_list_issues", limit=1)
        none = await client.call("taiga_search_issues", query="zebra", format="full")
        one = await client.call("taiga_get_issue", id=1)
    assert [note in reply.text for reply in (full, fields, usual, none, one)] == [True, True, *[False] * 3]


async def test_stories_cost_at_most_four_percent_of_what_the_api_sends(site: TaigaServer) -> None:
    lines = "\n".join(f"Story {number} of the long backlog of the harbour" for number in range(180))
    site.ask("POST", "userstories/bulk_create", {"project_id": 1, "bulk_stories": lines})
    async with serving(site) as client:
        for count in (20, 200):
            mine = await client.call("taiga_list_user_stories", limit=count)
            theirs = site.ask("GET", f"userstories?project=1&page_size={count}").text
            assert mine.tokens <= 0.04 * count_tokens(theirs)


async def test_a_story_is_put_into_an_epic_and_the_tasks_that_go_with_it_are_counted(
    site: TaigaServer,
) -> None:
    async with serving(site, output="structured") as client:
        made = data_of(await client.call("taiga_create_user_story", subject="Moor", epicId="#3"))
        read = data_of(await client.call("taiga_get_user_story", id=made["id"]))
        await client.call("taiga_update_user_story", id=made["id"], epicId="#1")
        both = data_of(await client.call("taiga_get_user_story", id=made["id"]))
        await client.call("taiga_update_user_story", id=made["id"], epicId=None)
        none = data_of(await client.call("taiga_get_user_story", id=made["id"]))
        gone = await client.call("taiga_delete_user_story", id="#4")

    assert (read["epicId"], sorted(both["epicIds"]), none["epicIds"]) == (3, [1, 3], [])
    assert gone.structured["_notes"] == ["3 tasks were deleted with it."]


async def test_an_assignment_to_nobody_takes_everybody_off_a_story(site: TaigaServer) -> None:
    site.ask("PATCH", "userstories/2", {"assigned_users": [1, 2], "version": 1})
    async with serving(site) as client:
        await client.call("taiga_update_user_story", id=2, assignedToId=None)
    story = site.app.state.rows("userstories")[2]
    assert (story["assigned_to"], story["assigned_users"]) == (None, [])


async def test_a_link_to_an_epic_that_fails_is_told_with_the_new_id(site: TaigaServer) -> None:
    site.app.faults.add("bad_gateway", method="POST", path="epics/")
    async with serving(site) as client:
        made = await client.call("taiga_create_user_story", subject="Moor", epicId=1)
    assert not made.failed and "Created as 25, and not linked to epic 1" in made.text
    assert "Do not create it again." in made.text
