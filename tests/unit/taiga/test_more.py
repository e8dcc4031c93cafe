"""Around work items: talk, sprints, links, bulk work and one's own work, on the same session."""

from typing import Any

from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import data_of, error_of, serving

STORY = {"kind": "user_story", "id": "#4"}


async def test_a_comment_is_added_listed_and_part_of_the_history(site: TaigaServer) -> None:
    async with serving(site) as client:
        done = await client.send("taiga_add_comment", {**STORY, "text": "Two\nlines."})
        await client.call("taiga_update_user_story", id=1, statusId="Done", assignedToId="bob", tags=["a"])
        comments = await client.send("taiga_list_comments", STORY)
        history = await client.send("taiga_get_history", STORY)
    assert done.text == "id: 1\nref: 4\nsubject: Book a berth online"
    assert 'Alice Harper\t"Two\\nlines."' in comments.text
    assert "status: New → Done; assigned_to: none → Bob Quay; tags: web → a" in history.text
    assert history.text.index("Done") < history.text.index("Two")


async def test_an_empty_list_advises_to_leave_out_only_what_can_be_left_out(site: TaigaServer) -> None:
    async with serving(site) as client:
        comments = await client.send("taiga_list_comments", STORY)
        status = await client.call("taiga_list_tasks", statusIds=["Closed"])
        word = await client.call("taiga_search_tasks", query="zebra")
    assert comments.text == 'No comments match kind="user_story", id="#4", projectId=1.'
    assert status.text == 'No tasks match statusIds=["Closed"], projectId=1. Leave a filter out to see more.'
    assert word.text == 'No tasks match query="zebra", projectId=1.'


async def test_whoever_may_only_comment_can_comment(site: TaigaServer) -> None:
    async with serving(site, "carol") as client:
        allowed = await client.send("taiga_add_comment", {**STORY, "text": "Hm."})
    for role in site.app.state.rows("roles").values():
        role["permissions"] = [one for one in role["permissions"] if one != "comment_us"]
    async with serving(site, "carol", output="both") as client:
        refused = await client.send("taiga_add_comment", {**STORY, "text": "Hm."})
    assert not allowed.failed
    assert error_of(refused)["category"] == "auth" and "it lacks comment_us" in refused.text


async def test_a_deleted_comment_is_not_shown(site: TaigaServer) -> None:
    async with serving(site) as client:
        await client.send("taiga_add_comment", {**STORY, "text": "A secret."})
        site.app.state.rows("userstories")[1]["history"][0]["delete_comment_date"] = "2026-11-01T00:00:00Z"
        comments = await client.send("taiga_list_comments", STORY)
    assert "(deleted)" in comments.text and "A secret" not in comments.text


async def test_a_sprint_is_created_filled_and_measured(site: TaigaServer) -> None:
    dates = {"start": "2026-11-02", "finish": "2026-11-13"}
    async with serving(site, output="structured") as client:
        made = data_of(await client.send("taiga_create_sprint", {"name": "Sprint 3", **dates}))
        moved = data_of(await client.call("taiga_move_to_sprint", ids=["#4", 2, 99], sprintId="Sprint 3"))
        stats = data_of(await client.call("taiga_sprint_stats", sprintId="Sprint 3"))
        listed = data_of(await client.call("taiga_list_sprints", isClosed=False))
        back = await client.call("taiga_move_to_sprint", ids=["#4"], sprintId=None)
        turned = await client.call("taiga_create_sprint", name="S", start="2026-11-13", finish="2026-11-02")
    stories = site.app.state.rows("userstories")
    assert made["id"] == 3 and [one["id"] for one in moved["items"]] == [1, 2]
    assert (stories[2]["milestone"], stories[1]["milestone"], back.failed) == (3, None, False)
    assert (stats["name"], stats["stories"], stats["tasks"]) == ("Sprint 3", 2, 3)
    assert [one["name"] for one in listed["items"]] == ["Sprint 3", "Sprint 2"]
    assert error_of(turned)["category"] == "validation"


async def test_each_item_of_a_batch_succeeds_or_fails_by_itself(site: TaigaServer) -> None:
    updates: list[dict[str, Any]] = [
        {"id": 1, "statusId": "Ready"},
        {"id": "#5", "subject": ""},
        {"id": 3, "color": "red"},
        {"id": 4},
        {"id": 5, "statusId": "Nope"},
        {"id": 6, "subject": "x", "version": 9},
        {"id": 7, "assignedToId": None, "sprintId": None},
        {"id": 8, "subject": "Ring the bell"},
    ]
    async with serving(site) as client:
        reply = await client.call("taiga_update_batch", updates=updates)
    assert not reply.failed and reply.text.startswith("Updated 2 of 8 items:")
    assert "Nothing to change: 7." in reply.text
    for words in (
        "Failed: #5: [VALIDATION_ERROR] Invalid subject ''.",
        "Failed: 3: [VALIDATION_ERROR] Unknown argument 'color': user stories have none.",
        "Failed: 4: [VALIDATION_ERROR] It names nothing to change.",
        "Failed: 5: [VALIDATION_ERROR] Invalid statusId 'Nope'.",
        "Failed: 6: [RESOURCE_LOCKED] User story 6 is at version 1, not 9.",
    ):
        assert words in reply.text, reply.text
    assert site.asked.count("PATCH userstories/1") == 1 and "PATCH userstories/6" not in site.asked


async def test_a_batch_is_read_in_one_call(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        reply = await client.call("taiga_get_batch", kind="issue", ids=[1, "#28", 99])
    found = data_of(reply)["items"]
    assert [one["ref"] for one in found] == [27, 28] and found[0]["priorityName"] == "Low"
    assert "Failed: 99: [RESOURCE_NOT_FOUND]" in reply.text


async def test_items_are_created_one_by_one_or_in_bulk(site: TaigaServer) -> None:
    items = [{"subject": "A", "userStoryId": "#4", "priority": "high"}, {"subject": "B"}, {"subject": " "}]
    async with serving(site) as client:
        batch = await client.call("taiga_create_batch", kind="task", items=items)
        bulk = await client.call("taiga_bulk_create", kind="task", subjects=["One", "Two"], userStoryId=2)
        backlog = await client.call("taiga_bulk_create", kind="task", subjects=["One"], userStoryId=1)
        nowhere = await client.call("taiga_bulk_create", kind="task", subjects=["One"])
        status = await client.call("taiga_bulk_create", kind="issue", subjects=["One"], statusId="New")
        stories = await client.call(
            "taiga_bulk_create", kind="user_story", subjects=["Three"], statusId="Ready"
        )
    assert batch.text.startswith("Created 1 of 3 items:")
    assert "item 1 'B': [VALIDATION_ERROR] Missing userStoryId" in batch.text and "item 2:" in batch.text
    assert bulk.text.startswith("Created 2 of 2 items:") and stories.text.startswith("Created 1 of 1")
    assert "because it is in no sprint: taiga_create_task" in backlog.text
    assert "Missing userStoryId or sprintId" in nowhere.text
    assert "with the default status only" in status.text
    assert site.asked.count("POST tasks/bulk_create") == 1
    assert site.app.state.where("userstories", subject="Three")[0]["status"] == 2


async def test_after_an_error_that_concerns_all_the_rest_of_a_batch_is_not_tried(site: TaigaServer) -> None:
    items = [{"subject": f"Issue {number}"} for number in range(5)]
    async with serving(site) as client:
        site.app.throttle.rates["user-write"] = (2, 60.0)
        reply = await client.call("taiga_create_batch", kind="issue", items=items)
    assert reply.text.startswith("Created 2 of 5 items:")
    assert reply.text.count("Not tried: one before it failed for a reason that concerns all.") == 2
    assert site.asked == ["POST issues"] * 3


async def test_a_story_is_linked_to_an_epic_once(site: TaigaServer) -> None:
    link = {"epicId": "#2", "userStoryId": 1}
    async with serving(site) as client:
        first, second = [await client.send("taiga_link_epic", link) for _ in range(2)]
        gone, again = [await client.send("taiga_unlink_epic", link) for _ in range(2)]
    assert "isLinked: yes" in first.text and "isLinked: no" in gone.text
    for reply in (second, again):
        assert "It was so already: nothing was changed." in reply.text
    writes = [one for one in site.asked if not one.startswith("GET")]
    assert writes == ["POST epics/2/related_userstories", "DELETE epics/2/related_userstories/1"]


async def test_watching_begins_and_ends(site: TaigaServer) -> None:
    issue = {"kind": "issue", "id": 1}
    async with serving(site) as client:
        on = await client.send("taiga_watch", issue)
        same = await client.send("taiga_watch", issue)
        off = await client.send("taiga_watch", {**issue, "watch": False})
    assert on.text == same.text == "id: 1\nisWatched: yes\nwatchers: Alice Harper"
    assert off.text.startswith("id: 1\nisWatched: no")
    assert [one for one in site.asked if one.startswith("POST")] == [
        "POST issues/1/watch",
        "POST issues/1/unwatch",
    ]


async def test_my_work_is_everything_open_in_all_projects_soonest_due_first(site: TaigaServer) -> None:
    site.ask("PATCH", "userstories/21", {"assigned_to": 1, "due_date": "2026-12-01", "version": 1}, by="bob")
    site.app.seen.clear()
    async with serving(site, project=None, output="structured") as client:
        found = data_of(await client.call("taiga_my_work"))
        page = data_of(await client.call("taiga_my_work", limit=2, offset=1))
    items = found["items"]
    assert (items[0]["project"], items[0]["dueDate"]) == ("Ferry", "2026-12-01")
    assert {one["kind"] for one in items} == {"user_story", "task"} and found["meta"]["total"] == 7
    assert "Done" not in {one["status"] for one in items}
    assert [one["id"] for one in page["items"]] == [one["id"] for one in items[1:3]]
    assert sorted(site.asked) == sorted(
        [f"GET {one}" for one in ("epics", "issues", "tasks", "userstories")] * 2
    )
