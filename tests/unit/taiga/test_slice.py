"""One use through the whole path: sign in, choose a project, list, read and change stories."""

import pytest

from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import serving


@pytest.mark.requirement("001-4", "001-3.1")
async def test_a_story_is_found_read_and_changed(site: TaigaServer) -> None:
    async with serving(site, project=None) as client:
        early = await client.call("taiga_list_user_stories")
        projects = await client.call("taiga_list_projects")
        chosen = await client.call("taiga_set_active_project", projectSlug="alice-harbour")
        listed = await client.call("taiga.list_user_stories", limit=2)
        changed = await client.call(
            "taiga_update_user_story", id="#4", subject="Book a berth", statusId="Ready"
        )
        read = await client.call("taiga_get_user_story", id=1)

    assert early.text.startswith("Error [VALIDATION_ERROR]: Active project not set. Call taiga_set_active")
    assert "1\talice-harbour\tHarbour\n" in projects.text and "Open sea" not in projects.text
    assert chosen.text == "id: 1\nname: Harbour"
    assert listed.text == (
        "Showing 2 of 20 user stories:\nid\tref\tsubject\tstatus\tassignedTo\n"
        "1\t4\tBook a berth online\tNew\n2\t5\tShow free berths on a map\tReady\tAlice Harper\n\n"
        "18 more items match. Pass offset 2 to see next page."
    )
    assert changed.text == "id: 1\nref: 4\nsubject: Book a berth"
    assert "subject: Book a berth\nstatusId: 2\nstatus: Ready\n" in read.text and "version: 2\n" in read.text


async def test_a_list_with_names_takes_one_request_and_a_change_two(site: TaigaServer) -> None:
    async with serving(site) as client:
        await client.call("taiga_list_user_stories")
        await client.call("taiga_get_user_story", id=1)
        await client.call("taiga_update_user_story", id=1, subject="Other")
        await client.call("taiga_update_user_story", id=1, subject="Other")

    story = "userstories/1"
    assert site.asked == ["GET userstories", f"GET {story}", f"GET {story}", f"PATCH {story}", f"GET {story}"]
