"""Every tool of the taiga server keeps the contract, on a practice instance of its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import Settings
from laconic.kit.contract import Cases, Contract
from laconic.servers.taiga.service import Taiga
from laconic.servers.taiga.tools import taiga
from laconic.servers.taiga.tools.more import taiga_more

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
LIST_TOKENS = 3900  # what the list of all 29 tools may cost a model
MORE_TOKENS = 1700  # and the list of the tools beyond them
LEAN_TOKENS = 1600  # and that of the profile `lean`
VOLATILE = r"20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d\.\d{3})?Z"
IN = {"projectId": 1}
KINDS = {"epic": "epics", "user_story": "user_stories", "task": "tasks", "issue": "issues"}

OBVIOUS = {
    "taiga_set_active_project": ["projectId", "projectSlug"],
    "taiga_get_project": ["projectId", "projectSlug"],
    **{f"taiga_create_{one}": ["subject", "description", "tags"] for one in KINDS},
    **{f"taiga_update_{one}": ["subject", "description", "tags", "blocked"] for one in KINDS},
    **{f"taiga_search_{many}": ["query"] for many in KINDS.values()},
}


def workspace(folder: Path) -> Settings:
    """A practice instance in a folder: a harbour's projects."""
    return Settings(sandbox=folder)


def fingerprint(things: Mapping[type, Any]) -> Any:
    """Everything that the practice instance keeps."""
    app = things[Taiga].client.session._transport.app
    with app.state.turn():
        return app.state.stored()["tables"]


def samples() -> dict[str, Any]:
    """A call of each of the 29 tools."""
    found: dict[str, Any] = {
        "taiga_list_projects": {},
        "taiga_set_active_project": {"projectId": 1},
        "taiga_get_project": {"projectId": 1},
        "taiga_get_statuses": IN,
        "taiga_get_members": IN,
    }
    for one, many in KINDS.items():
        new = {"subject": "New", **({"userStoryId": "1"} if one == "task" else {})}
        found |= {
            f"taiga_list_{many}": IN,
            f"taiga_get_{one}": {"id": "1", **IN},
            f"taiga_create_{one}": {**new, **IN},
            f"taiga_update_{one}": {"id": "1", "subject": "Other", **IN},
            f"taiga_delete_{one}": {"id": "2", **IN},
            f"taiga_search_{many}": {"query": "the", **IN},
        }
    return found


def failing() -> dict[str, Any]:
    """Calls that fail, by tool."""
    found: dict[str, Any] = {
        "taiga_list_projects": {"cursor": "forged"},
        "taiga_set_active_project": [{}, {"projectId": 99}, {"projectId": 1, "projectSlug": "alice-harbour"}],
        "taiga_get_project": [{}, {"projectId": 5}, {"projectSlug": "dora-smugglers"}],
        "taiga_get_statuses": [{}, {"kind": "wiki", **IN}],
        "taiga_get_members": {},
    }
    for one, many in KINDS.items():
        found |= {
            f"taiga_list_{many}": [{}, {"statusIds": ["Nowhere"], **IN}],
            f"taiga_get_{one}": [{"id": "1"}, {"id": "99", **IN}, {"id": "twelve", **IN}],
            f"taiga_create_{one}": [
                {"subject": "  ", **IN},
                {"subject": "New", **IN, "assignedToId": "Dora"},
            ],
            f"taiga_update_{one}": [{"id": "1", **IN}, {"id": "99", "subject": "Other", **IN}],
            f"taiga_delete_{one}": {"id": "99", **IN},
            f"taiga_search_{many}": {"query": "x" * 501, **IN},
        }
    return found


def more_samples() -> dict[str, Any]:
    """A call of each tool beyond the 29."""
    story = {"kind": "user_story", "id": "1", **IN}
    return {
        "taiga_list_comments": {"kind": "issue", "id": "3", **IN},
        "taiga_add_comment": {**story, "text": "Well done."},
        "taiga_get_history": {"kind": "issue", "id": "3", **IN},
        "taiga_watch": story,
        "taiga_link_epic": {"epicId": "2", "userStoryId": "1", **IN},
        "taiga_unlink_epic": {"epicId": "1", "userStoryId": "1", **IN},
        "taiga_my_work": {},
        "taiga_list_sprints": IN,
        "taiga_create_sprint": {"name": "Sprint 3", "start": "2026-11-02", "finish": "2026-11-13", **IN},
        "taiga_move_to_sprint": {"ids": ["1", "#5"], "sprintId": "Sprint 2", **IN},
        "taiga_sprint_stats": {"sprintId": "Sprint 2", **IN},
        "taiga_bulk_create": {"kind": "user_story", "subjects": ["One", "Two"], **IN},
        "taiga_get_batch": {"ids": ["1", "2"], **IN},
        "taiga_update_batch": {"updates": [{"id": "1", "statusId": "Ready"}], **IN},
        "taiga_create_batch": {"items": [{"subject": "One"}], **IN},
    }


contract = Contract(
    taiga,
    settings=workspace,
    samples=samples(),
    failing=failing(),
    volatile=VOLATILE,
    snapshots=SNAPSHOTS,
    fingerprint=fingerprint,
    budget=LIST_TOKENS,
    obvious=OBVIOUS,
)
more = Contract(
    taiga_more,
    settings=workspace,
    samples=more_samples(),
    failing={
        "taiga_list_comments": {"kind": "user_story", "id": "99", **IN},
        "taiga_add_comment": {"kind": "task", "id": "99", "text": "Hm.", **IN},
        "taiga_sprint_stats": {"sprintId": "Sprint 9", **IN},
        "taiga_create_sprint": {"name": "Sprint 1", "start": "2026-11-02", "finish": "2026-11-13", **IN},
        "taiga_link_epic": {"epicId": "99", "userStoryId": "1", **IN},
        "taiga_bulk_create": {"kind": "task", "subjects": ["One"], **IN},
    },
    volatile=VOLATILE,
    snapshots=SNAPSHOTS,
    fingerprint=fingerprint,
    budget=MORE_TOKENS,
    obvious={
        "taiga_bulk_create": ["subjects"],
        "taiga_update_batch": ["updates"],
        "taiga_create_batch": ["items"],
        "taiga_create_sprint": ["name", "start", "finish"],
    },
)
LISTS = [f"taiga_list_{many}" for many in KINDS.values()]
chosen = Contract(
    taiga,
    settings=workspace,
    fingerprint=fingerprint,
    before={"taiga_set_active_project": {"projectId": 1}},
    samples={"taiga_set_active_project": {"projectId": 2}, **{name: {} for name in LISTS}},
)


def by_tool() -> list[Any]:
    """The cases of each tool; the kinds are declared from one table, so one of them is enough."""
    others = ("_epic", "_task", "_issue")
    soak = pytest.mark.soak
    return [
        pytest.param(cases, id=cases.id, marks=[soak] * any(one in cases.id for one in others))
        for cases in Cases.by_tool(contract.cases())
    ]


@pytest.mark.parametrize("cases", by_tool())
def test_every_tool_of_taiga_keeps_the_contract(cases: Cases) -> None:
    cases.run()


@more.per_tool
def test_every_tool_beyond_them_keeps_the_contract(cases: Cases) -> None:
    cases.run()


@pytest.mark.parametrize("name", LISTS)
def test_a_cursor_goes_on_in_the_project_that_was_active_when_it_was_made(name: str) -> None:
    (case,) = (
        case
        for case in chosen.cases()
        if case.check.name == "a_cursor_keeps_its_list" and case.spec and case.spec.name == name
    )
    case.run()
