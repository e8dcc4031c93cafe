"""Errors are distinguished: what Taiga answers with 403, callers learn in words and in data."""

import re
from typing import Any

import pytest

from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import FORMS, data_of, error_of, serving

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
MISSING_ACTIVE = "Active project not set"


@pytest.mark.requirement("001-3.1", "001-7", "001-16")
@pytest.mark.parametrize("output", FORMS)
async def test_a_tool_without_a_project_says_so_in_every_form(site: TaigaServer, output: str) -> None:
    async with serving(site, project=None, output=output) as client:
        reply = await client.call("taiga_create_task", userStoryId=1, subject="x")
    assert reply.failed and MISSING_ACTIVE in (reply.text or str(reply.structured))
    if output != "text":
        error = error_of(reply)
        assert (error["category"], error["message"]) == ("validation", MISSING_ACTIVE)
        assert UUID.fullmatch(error["_traceId"])
    if output != "structured":
        assert reply.text.startswith(f"Error [VALIDATION_ERROR]: {MISSING_ACTIVE}. Call taiga_set_active_")
    assert site.asked == []


@pytest.mark.requirement("001-7", "001-17", "001-3.2")
async def test_a_success_has_ok_and_data_with_the_names_of_the_document(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        one = data_of(await client.call("taiga_get_user_story", id=2))
        many = data_of(await client.call("taiga_list_user_stories", limit=3, offset=3))
    assert {"id", "projectId", "subject", "statusId", "createdDate", "modifiedDate"} <= one.keys()
    assert (one["projectId"], one["statusId"], one["createdDate"]) == (1, 2, "2026-10-04T09:00:00Z")
    known = {name: many["meta"][name] for name in ("limit", "offset", "total", "hasNext")}
    assert known == {"limit": 3, "offset": 3, "total": 20, "hasNext": True}
    assert many["items"][0].keys() >= {"id", "ref", "subject", "status", "assignedTo"}


@pytest.mark.requirement("001-16", "001-18", "001-3.3")
@pytest.mark.parametrize("status", ["9999", "7", "Nowhere"])  # unknown, of another project, no name of any
@pytest.mark.parametrize("kind", ["epic", "user_story", "task", "issue"])
async def test_a_status_that_the_project_does_not_have_is_invalid_whatever_taiga_would_say(
    site: TaigaServer, kind: str, status: str
) -> None:
    foreign = {"epic": "6", "user_story": "7", "task": "6", "issue": "8"}[kind]
    async with serving(site, output="structured") as client:
        reply = await client.send(
            f"taiga_update_{kind}", {"id": 1, "statusId": foreign if status == "7" else status}
        )
    error = error_of(reply)
    assert error["category"] == "validation" and error["message"].startswith("Invalid statusId")
    assert error["field"] == "statusId" and any("New" in one for one in error["allowed"])
    assert not any(one.startswith("PATCH") for one in site.asked)


@pytest.mark.requirement("001-18", "001-3.3")
async def test_fields_that_taiga_refuses_are_named_as_callers_know_them(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        reply = await client.call("taiga_update_task", id=1, userStoryId=21)
        name = await client.call(
            "taiga_create_sprint", name="Sprint 1", start="2026-11-02", finish="2026-11-13"
        )
    error = error_of(reply)
    assert (error["category"], error["httpStatus"], error["taigaCode"]) == (
        *("validation", 400),
        "WrongArguments",
    )
    assert error_of(name)["details"] == {"name": "Duplicate"}
    assert name.text == "Error [VALIDATION_ERROR]: Invalid name: Duplicate"


def write(tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return tool, arguments


@pytest.mark.requirement("001-3.3", "001-16")
@pytest.mark.parametrize(
    ("user", "call", "category", "words"),
    [
        ("alice", write("taiga_get_user_story", id=999), "not_found", "User story 999 not found."),
        ("alice", write("taiga_update_user_story", id=999, subject="x"), "not_found", "not found."),
        ("alice", write("taiga_delete_user_story", id=999), "not_found", "User story 999 not found."),
        (
            "alice",
            write("taiga_get_user_story", id="#999"),
            "not_found",
            "User story #999 not found. Use taiga_",
        ),
        (
            "alice",
            write("taiga_get_user_story", id="#1"),
            "not_found",
            "#1 is an epic, with the id 1: taiga_",
        ),
        ("alice", write("taiga_update_epic", id="#4", color="red"), "not_found", "#4 is a user story, with"),
        ("alice", write("taiga_get_issue", id="#24"), "not_found", "#24 is a task, with the id 1"),
        ("alice", write("taiga_delete_task", id="#27"), "not_found", "#27 is an issue, with the id 1"),
        ("alice", write("taiga_get_user_story", id=21), "not_found", "pass projectId 2."),
        ("alice", write("taiga_update_user_story", id=21, subject="x"), "not_found", "(Ferry)"),
        ("alice", write("taiga_get_user_story", id=24), "auth", "in a project that this account cannot see"),
        ("alice", write("taiga_list_epics", projectId=5), "auth", "Project 5 is private"),
        ("alice", write("taiga_list_epics", projectId=99), "not_found", "Project 99 not found."),
        ("alice", write("taiga_create_issue", subject="x", projectId=3), "auth", "archived by staff"),
        ("alice", write("taiga_create_issue", subject="x", projectId=4), "auth", "blocked"),
        ("carol", write("taiga_create_epic", subject="x"), "auth", "it lacks add_epic"),
        ("carol", write("taiga_update_user_story", id=1, subject="x"), "auth", "it lacks modify_us"),
        ("carol", write("taiga_delete_task", id=1), "auth", "it lacks delete_task"),
        ("alice", write("taiga_update_issue", id=1, priorityId=4), "validation", "Invalid priorityId '4'"),
        ("alice", write("taiga_update_issue", id=1, severity="Mild"), "validation", "Invalid severity"),
        (
            "alice",
            write("taiga_update_issue", id=1, assignedToId="dora"),
            "validation",
            "Invalid assignedToId",
        ),
        ("alice", write("taiga_update_issue", id=1, sprintId="Sprint 9"), "validation", "Invalid sprintId"),
        ("alice", write("taiga_update_issue", id=1, dueDate="soon"), "validation", "Invalid dueDate 'soon'"),
        ("alice", write("taiga_list_issues", modifiedSince="soon"), "validation", "Invalid modifiedSince"),
        ("alice", write("taiga_list_issues", tags=["a,b"]), "validation", "because of its comma"),
    ],
)
async def test_each_thing_that_can_be_wrong_is_told_apart(
    site: TaigaServer, user: str, call: tuple[str, dict[str, Any]], category: str, words: str
) -> None:
    tool, arguments = call
    async with serving(site, user, output="both") as client:
        reply = await client.send(tool, arguments)
    assert error_of(reply)["category"] == category, reply.text
    assert words in reply.text, reply.text


async def test_an_empty_list_is_never_a_missing_permission(site: TaigaServer) -> None:
    for role in site.app.state.rows("roles").values():
        role["permissions"] = [one for one in role["permissions"] if one != "view_tasks"]
    async with serving(site, "carol", output="both") as client:
        reply = await client.call("taiga_list_tasks")
    assert error_of(reply)["category"] == "auth" and "it lacks view_tasks" in reply.text


async def test_a_module_that_is_switched_off_is_said(site: TaigaServer) -> None:
    async with serving(site) as client:
        chosen = await client.call("taiga_set_active_project", projectId=2)
        none = await client.call("taiga_list_issues")
        made = await client.call("taiga_create_issue", subject="x")
    assert (
        none.text
        == "No issues match projectId=2.\nFerry has switched issues off: its pages do not show them."
    )
    assert "Its web pages show no epics and no issues: that module is switched off." in chosen.text
    assert "Ferry has switched issues off: its pages do not show them." in made.text


async def test_what_was_added_meanwhile_is_known_before_it_is_refused(site: TaigaServer) -> None:
    async with serving(site) as client:
        row = site.app.state.where("userstory-statuses", project=1, name="Ready")[0]
        row["name"] = "Shipped"
        done = await client.call("taiga_update_user_story", id=1, statusId="Shipped")
    assert not done.failed
    assert site.asked == ["GET userstories/1", "GET projects/1", "PATCH userstories/1"]


async def test_the_detail_of_a_project_is_read_once(site: TaigaServer) -> None:
    async with serving(site) as client:
        for _ in range(3):
            await client.call("taiga_list_epics")
            await client.call("taiga_get_statuses")
    assert site.asked == ["GET epics"] * 3


@pytest.mark.requirement("001-15")
async def test_a_long_text_is_shortened_in_an_error(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        reply = await client.call("taiga_get_user_story", id="x" * 5_000)
    assert error_of(reply)["category"] == "validation"
    assert len(reply.text) < 600 and len(str(reply.structured)) < 2_000
