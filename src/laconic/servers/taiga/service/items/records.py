"""Records: what Taiga sends about a work item, as callers see it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from laconic.servers.taiga.models.items import Epic, Issue, Story, Task
from laconic.servers.taiga.models.kinds import EPIC, ISSUE, STORY, TASK, Kind
from laconic.servers.taiga.service.items.priorities import level_of_row, level_of_tags, other_tags
from laconic.servers.taiga.service.projects import ActiveProject

Row = Mapping[str, Any]


def record_of(kind: Kind, row: Row, project: ActiveProject, remarks: Sequence[str] = ()) -> Any:
    """Return an item as a record of its kind."""
    tags = [str(pair[0]) for pair in row["tags"]]
    said = {"remarks": list(remarks)}
    if kind is ISSUE:
        return Issue.model_validate(common_of(row, tags) | _of_issue(row, project) | said)
    record, more = _OTHERS[kind]
    level = {"priority": level_of_tags(tags)}
    return record.model_validate(common_of(row, other_tags(tags)) | more(row) | level | said)


def common_of(row: Row, tags: list[str]) -> dict[str, Any]:
    """Return the fields that items of all kinds have."""
    status = row.get("status_extra_info") or {}
    return {
        "id": row["id"],
        "ref": row["ref"],
        "subject": row["subject"],
        "status_id": row["status"],
        "status": status.get("name"),
        "is_closed": row["is_closed"],
        "assigned_to_id": row["assigned_to"],
        "assigned_to": _name(row.get("assigned_to_extra_info")),
        "tags": tags,
        "is_blocked": row["is_blocked"],
        "blocked_reason": row["blocked_note"] or None,
        "version": row["version"],
        "project_id": row["project"],
        "created_by": _name(row.get("owner_extra_info")),
        "created_date": row["created_date"],
        "modified_date": row["modified_date"],
        "description": row.get("description"),
    }


def _name(person: Row | None) -> str | None:
    return (person.get("full_name_display") or person.get("username")) if person else None


def _of_epic(row: Row) -> dict[str, Any]:
    counts = row.get("user_stories_counts") or {}
    return {"color": row["color"], "stories": counts.get("total"), "progress": counts.get("progress")}


def _of_story(row: Row) -> dict[str, Any]:
    epics = [epic["id"] for epic in row.get("epics") or ()]
    return {
        "epic_id": epics[0] if epics else None,
        "epic_ids": epics,
        "sprint_id": row["milestone"],
        "sprint": row.get("milestone_name"),
        "total_points": row.get("total_points"),
        "due_date": row.get("due_date"),
    }


def _of_task(row: Row) -> dict[str, Any]:
    story = row.get("user_story_extra_info") or {}
    return {
        "user_story_id": row["user_story"],
        "user_story": story.get("subject"),
        "sprint_id": row["milestone"],
        "due_date": row.get("due_date"),
    }


def _of_issue(row: Row, project: ActiveProject) -> dict[str, Any]:
    return {
        "priority": level_of_row(project.detail["priorities"], row["priority"]),
        "priority_id": row["priority"],
        "priority_name": project.title_of("priorities", row["priority"]),
        "severity_id": row["severity"],
        "severity": project.title_of("severities", row["severity"]),
        "type_id": row["type"],
        "type": project.title_of("issue_types", row["type"]),
        "sprint_id": row["milestone"],
        "due_date": row.get("due_date"),
    }


_OTHERS: Final[Mapping[Kind, tuple[type[Epic | Story | Task], Callable[[Row], dict[str, Any]]]]] = {
    EPIC: (Epic, _of_epic),
    STORY: (Story, _of_story),
    TASK: (Task, _of_task),
}
