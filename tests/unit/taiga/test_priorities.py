"""Priorities: five levels for callers; issues have a project's own rows, other items a reserved tag."""

import pytest

from laconic.servers.taiga.service.items.priorities import LEVELS, level_of_row, row_of_level
from tests.taiga_server import TaigaServer
from tests.unit.taiga.serving import data_of, error_of, serving


def rows(*names: str) -> list[dict[str, object]]:
    return [{"id": place, "name": name, "order": place} for place, name in enumerate(names, 1)]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("Low", "Normal", "High"), "Low Low Normal High High"),
        (("Niedrig", "Mittel", "Hoch"), "Niedrig Niedrig Mittel Hoch Hoch"),
        (("One",), "One One One One One"),
        (("Later", "Now"), "Later Later Now Now Now"),
        (("A", "B", "C", "D", "E"), "A B C D E"),
        (("A", "B", "C", "D"), "A B B C D"),
    ],
)
def test_a_level_is_a_name_or_a_place_among_the_projects_own(names: tuple[str, ...], found: str) -> None:
    own, default = rows(*names), (len(names) + 2) // 2 if len(names) != 4 else 2
    assert " ".join(str(row_of_level(own, level, default)[0]["name"]) for level in LEVELS) == found


def test_a_row_stands_for_the_level_of_its_name_or_of_its_place() -> None:
    assert [level_of_row(rows("Low", "Normal", "High"), id) for id in (1, 2, 3)] == ["low", "normal", "high"]
    assert [level_of_row(rows("A", "B", "C", "D", "E"), id) for id in range(1, 6)] == list(LEVELS)
    assert level_of_row(rows("A"), 7) is None


async def test_an_issue_gets_the_nearest_row_and_is_told(site: TaigaServer) -> None:
    async with serving(site, output="both") as client:
        made = await client.call("taiga_create_issue", subject="x", priority="highest")
        read = data_of(await client.call("taiga_get_issue", id=data_of(made)["id"]))
        chosen = await client.call("taiga_update_issue", id=read["id"], priorityId="Low")
        low = data_of(await client.call("taiga_get_issue", id=read["id"]))
    assert "This project has no priority 'highest'; High is the nearest." in made.text
    assert (read["priority"], read["priorityId"], read["priorityName"]) == ("high", 3, "High")
    assert not chosen.failed and low["priority"] == "low"


@pytest.mark.parametrize("kind", ["epic", "user_story", "task"])
async def test_other_items_keep_it_as_a_tag_that_callers_do_not_see(site: TaigaServer, kind: str) -> None:
    story = {"userStoryId": 1} if kind == "task" else {}
    async with serving(site, output="structured") as client:
        id = data_of(
            await client.send(
                f"taiga_create_{kind}", {"subject": "x", "priority": "high", "tags": ["a"], **story}
            )
        )["id"]
        made = data_of(await client.send(f"taiga_get_{kind}", {"id": id}))
        await client.send(f"taiga_update_{kind}", {"id": id, "tags": ["b"]})
        kept = data_of(await client.send(f"taiga_get_{kind}", {"id": id}))
        await client.send(f"taiga_update_{kind}", {"id": id, "priority": "low"})
        lowered = data_of(await client.send(f"taiga_get_{kind}", {"id": id}))
        full = await client.send(f"taiga_update_{kind}", {"id": id, "tags": [f"t{n}" for n in range(32)]})
    assert (made["priority"], made["tags"]) == ("high", ["a"])
    assert (kept["priority"], kept["tags"]) == ("high", ["b"])
    assert (lowered["priority"], lowered["tags"]) == ("low", ["b"])
    assert error_of(full)["message"].startswith("Invalid tags: with the priority at most 32")


async def test_it_can_be_refused_instead(site: TaigaServer) -> None:
    async with serving(site, output="structured", priorities="refuse") as client:
        story = await client.call("taiga_create_user_story", subject="x", priority="high")
        issue = await client.call("taiga_create_issue", subject="x", priority="high")
    assert "Taiga has no priority for user stories" in error_of(story)["message"]
    assert not issue.failed
    assert "POST userstories" not in site.asked


async def test_a_reason_without_a_block_is_refused_because_taiga_would_drop_it(site: TaigaServer) -> None:
    async with serving(site, output="structured") as client:
        reply = await client.call("taiga_update_task", id=1, blocked={"isBlocked": False, "reason": "x"})
    assert error_of(reply)["field"] == "blocked" and "PATCH tasks/1" not in site.asked
