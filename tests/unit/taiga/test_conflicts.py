"""Nothing is overwritten unseen: conflicts name both versions and the fields, also where Taiga sees none."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import error_of, serving

STORY = "userstories/1"


def meanwhile(site: TaigaServer, act: Callable[[], Any], path: str = STORY) -> None:
    """Do something between the read and the write of the next change."""
    answered = site.app._response

    def response(request: Any, asked: str, raw: bytes) -> Any:
        if request.method == "PATCH" and asked == path:
            site.app._response = answered  # type: ignore[method-assign]  # only once
            act()
        return answered(request, asked, raw)

    site.app._response = response  # type: ignore[method-assign, assignment]  # until then


def by_bob(site: TaigaServer, **fields: Any) -> Callable[[], Any]:
    def act() -> None:
        story = site.app.state.rows("userstories")[1]
        entry = {"id": "x", "user": {"pk": 2, "username": "bob", "name": "Bob Quay"}, "comment": ""}
        diff = {name: [story[name], value] for name, value in fields.items()}
        story["history"].append({**entry, "created_at": "", "fields": [*fields], "diff": diff})
        story.update(fields, version=story["version"] + 1)

    return act


@pytest.mark.requirement("001-10")
async def test_a_version_that_is_no_longer_current_is_refused_with_both(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        first = await client.call("taiga_update_user_story", id=1, subject="Mine", version=1)
        stale = await client.call("taiga_update_user_story", id=1, subject="Yours", version=1)
    error = error_of(stale)
    assert not first.failed and error["category"] == "validation"
    wanted = {"conflict": True, "sentVersion": 1, "currentVersion": 2, "fields": ["subject"]}
    assert error["details"] == wanted
    assert "User story 1 is at version 2, not 1." in stale.text
    assert site.app.state.rows("userstories")[1]["subject"] == "Mine"


async def test_a_change_between_our_read_and_our_write_is_told_and_nothing_is_sent_again(
    site: TaigaServer,
) -> None:
    async with serving(site, output="both") as client:
        meanwhile(site, by_bob(site, subject="Bob's", description="Bob's"))
        reply = await client.call("taiga_update_user_story", id=1, subject="Mine", statusId="Ready")
    error = error_of(reply)
    assert error["details"] == {
        "conflict": True,
        "sentVersion": 1,
        "currentVersion": 2,
        "fields": ["subject"],
    }
    assert (error["httpStatus"], site.asked.count(f"PATCH {STORY}")) == (400, 1)
    assert site.app.state.rows("userstories")[1]["subject"] == "Bob's"


async def test_changes_of_different_fields_are_both_kept(site: TaigaServer) -> None:
    async with serving(site) as client:
        meanwhile(site, by_bob(site, description="Bob's"))
        reply = await client.call("taiga_update_user_story", id=1, subject="Mine")
    story = site.app.state.rows("userstories")[1]
    assert not reply.failed and (story["subject"], story["description"]) == ("Mine", "Bob's")


async def test_an_assignee_that_taiga_lets_overwrite_silently_is_told(site: TaigaServer) -> None:
    async with serving(site) as client:
        meanwhile(site, by_bob(site, assigned_to=2))
        replaced = await client.call("taiga_update_user_story", id=1, assignedToId="carol")
        site.app.state.rows("userstories")[1]["version"] = 1
        meanwhile(site, by_bob(site, description="Bob's"))
        alone = await client.call("taiga_update_user_story", id=1, assignedToId="alice")
    words = (
        "Conflict: Bob Quay changed assignedToId meanwhile, and this replaced it (version 1 was read, 3 is"
    )
    assert words in replaced.text and "Conflict" not in alone.text


async def test_a_conflict_that_is_none_does_not_stop_a_change(site: TaigaServer) -> None:
    site.ask("PATCH", STORY, {"subject": "Old", "version": 1})

    def bumped() -> None:  # a change that changed nothing: Taiga counts it and keeps no history of it
        site.app.state.rows("userstories")[1]["version"] += 1

    async with serving(site) as client:
        meanwhile(site, bumped)
        reply = await client.call("taiga_update_user_story", id=1, subject="Mine")
    assert not reply.failed, reply.text
    assert site.app.state.rows("userstories")[1]["subject"] == "Mine"


async def test_a_change_that_changes_nothing_sends_nothing(site: TaigaServer) -> None:
    same = {"subject": "Book a berth online", "statusId": "New", "tags": ["Web"], "assignedToId": None}
    async with serving(site) as client:
        reply = await client.send("taiga_update_user_story", {"id": 1, **same})
    assert "It was so already: nothing was changed." in reply.text
    assert site.asked == [f"GET {STORY}"]
    assert site.app.state.rows("userstories")[1]["version"] == 1


async def test_only_what_differs_is_sent(site: TaigaServer) -> None:
    async with serving(site) as client:
        await client.call("taiga_update_user_story", id=1, subject="Book a berth online", statusId="Ready")
    assert site.app.seen[-1].body == {"status": 2, "version": 1}


async def test_twenty_changes_of_one_story_at_once_are_each_applied_or_told(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        calls = [
            client.call("taiga_update_user_story", id=1, subject=f"Subject {number}") for number in range(20)
        ]
        replies = await asyncio.gather(*calls)
    story = site.app.state.rows("userstories")[1]
    applied = [number for number, reply in enumerate(replies) if not reply.failed]
    told = [error_of(reply)["details"] for reply in replies if reply.failed]
    assert len(applied) + len(told) == 20 and applied
    assert all(one["conflict"] and one["fields"] == ["subject"] for one in told)
    written = [entry["diff"]["subject"][1] for entry in story["history"]]
    assert sorted(written) == sorted(f"Subject {number}" for number in applied)
    assert story["subject"] == written[-1] and story["version"] == 1 + len(applied)
