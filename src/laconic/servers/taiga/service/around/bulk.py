"""Bulk creation: one item for each subject, in one request that does all or nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.kit import BadArguments, Batch, Problem
from laconic.servers.taiga.models.kinds import EPIC, ISSUE, STORY, TASK, Kind
from laconic.servers.taiga.models.more import AnyItem
from laconic.servers.taiga.service.around.batches import WORDS, any_item
from laconic.servers.taiga.service.items.work_items import WorkItems

_KEYS: Final = {EPIC: "bulk_epics", STORY: "bulk_stories", TASK: "bulk_tasks", ISSUE: "bulk_issues"}
_NO_STATUS: Final = "Invalid statusId: Taiga creates issues in bulk with the default status only."
_NO_SPRINT: Final = "its tasks can only be created one by one, because it is in no sprint: taiga_create_task."


async def created_in_bulk(
    items: WorkItems, subjects: Sequence[str], given: Mapping[str, Any]
) -> Batch[AnyItem]:
    """Create items.

    Raises:
        BadArguments: something that Taiga would drop silently, or cannot do in bulk.
    """
    more = await _more(items, given)
    body = {"project_id": items.project.id, _KEYS[items.kind]: "\n".join(map(_line, subjects)), **more}
    rows = await items.create_in_bulk(body)
    name = str(items.project.detail["name"])
    return Batch([any_item(items.record(row), WORDS[items.kind], name) for row in rows], done="Created")


async def _more(items: WorkItems, given: Mapping[str, Any]) -> dict[str, Any]:
    kind, more = items.kind, dict[str, Any]()
    if given.get("status_id") is not None:
        if kind is ISSUE:
            raise BadArguments([Problem("statusId", _NO_STATUS)])
        more["status_id"] = (await items.named(kind.statuses, given["status_id"], "statusId"))["id"]
    if given.get("user_story_id") is not None:
        _only(kind is TASK, "userStoryId", kind)
        story = await items.of(STORY).read(given["user_story_id"], "userStoryId")
        if story["milestone"] is None:
            words = f"Invalid userStoryId '{given['user_story_id']}': {_NO_SPRINT}"
            raise BadArguments([Problem("userStoryId", words)])
        return {**more, "us_id": story["id"], "milestone_id": story["milestone"]}
    if given.get("sprint_id") is not None:
        _only(kind in (TASK, ISSUE), "sprintId", kind)
        more["milestone_id"] = (await items.named("milestones", given["sprint_id"], "sprintId"))["id"]
    elif kind is TASK:
        raise BadArguments([Problem("userStoryId", "Missing userStoryId or sprintId: tasks need one.")])
    return more


def _only(is_right: bool, argument: str, kind: Kind) -> None:
    if not is_right:
        words = f"Invalid {argument}: {kind.nouns} cannot be created in bulk with it."
        raise BadArguments([Problem(argument, words)])


def _line(subject: str) -> str:
    return " ".join(subject.split())
