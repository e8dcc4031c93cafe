"""Work items as the API sends them: short in lists, whole elsewhere."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.site.kinds import Kind
from laconic.sandbox.taiga.site.people import face

__all__ = ["is_closed", "listed", "tasks_of", "whole"]

_DUE: Final = ("due_date", "due_date_reason")
_OWN: Final = {
    "epics": ("color", "epics_order", "client_requirement", "team_requirement"),
    "userstories": (
        *("milestone", "points", "backlog_order", "sprint_order", "kanban_order", "client_requirement"),
        *("team_requirement", "swimlane", "assigned_users", *_DUE),
    ),
    "tasks": ("user_story", "milestone", "us_order", "taskboard_order", "is_iocaine", *_DUE),
    "issues": ("severity", "priority", "type", "milestone", *_DUE),
}


def whole(state: State, kind: Kind, item: Row, me: int | None) -> dict[str, Any]:
    """Return an item with its description."""
    text = item["description"]
    more = {"description": text, "description_html": f"<p>{text}</p>", "blocked_note_html": ""}
    return listed(state, kind, item, me) | more


def listed(state: State, kind: Kind, item: Row, me: int | None) -> dict[str, Any]:
    """Return an item as lists have it for one user: without its description."""
    project = state.rows("projects")[item["project"]]
    users = state.rows("users")
    status = state.rows(kind.statuses).get(item["status"])
    shown = {
        "id": item["id"],
        "ref": item["ref"],
        "project": project["id"],
        "project_extra_info": {"id": project["id"], "name": project["name"], "slug": project["slug"]}
        | {"logo_small_url": None},
        "subject": item["subject"],
        "status": item["status"],
        "status_extra_info": status and {key: status[key] for key in ("name", "color", "is_closed")},
        "assigned_to": item["assigned_to"],
        "assigned_to_extra_info": face(users.get(item["assigned_to"])),
        "owner": item["owner"],
        "owner_extra_info": face(users.get(item["owner"])),
        "created_date": item["created_date"],
        "modified_date": item["modified_date"],
        "version": item["version"],
        "tags": [[name, project["tags_colors"].get(name)] for name in item["tags"]],
        "is_blocked": item["is_blocked"],
        "blocked_note": item["blocked_note"],
        "is_closed": is_closed(state, kind, item),
        "watchers": item["watchers"],
        "is_watcher": me in item["watchers"],
        "total_watchers": len(item["watchers"]),
        "is_voter": me in item["voters"],
        "total_voters": len(item["voters"]),
        "attachments": [],
    }
    shown |= {name: item[name] for name in _OWN[kind.table]}
    return shown | _MORE[kind.table](state, item)


def is_closed(state: State, kind: Kind, item: Row) -> bool:
    """True if the status is closed; a story is also closed when all its tasks are."""
    status = state.rows(kind.statuses).get(item["status"])
    if status is not None and status["is_closed"]:
        return True
    if kind.table != "userstories":
        return False
    statuses = state.rows("task-statuses")
    tasks = tasks_of(state, item)
    return bool(tasks) and all(statuses[task["status"]]["is_closed"] for task in tasks)


def tasks_of(state: State, story: Row) -> list[Row]:
    """Return the tasks of a story."""
    return state.where("tasks", user_story=story["id"])


def _of_epic(state: State, epic: Row) -> dict[str, Any]:
    stories = [link["user_story"] for link in state.where("epic-links", epic=epic["id"])]
    progress = sum(_progress(state, state.rows("userstories")[one]) for one in stories) if stories else None
    return {"user_stories_counts": {"total": len(stories), "progress": progress}}


def _progress(state: State, story: Row) -> float:
    tasks = tasks_of(state, story)
    if not tasks:
        return float(state.rows("userstory-statuses")[story["status"]]["is_closed"])
    statuses = state.rows("task-statuses")
    return sum(bool(statuses[task["status"]]["is_closed"]) for task in tasks) / len(tasks)


def _of_story(state: State, story: Row) -> dict[str, Any]:
    sprint = state.rows("milestones").get(story["milestone"])
    points = [state.rows("points")[id]["value"] for id in story["points"].values()]
    known = [value for value in points if value is not None]
    return {
        "milestone_slug": sprint and sprint["slug"],
        "milestone_name": sprint and sprint["name"],
        "total_points": sum(known) if known else None,
        "external_reference": story["external_reference"],
        "due_date_status": _due(story),
        "finish_date": None,
        "epics": _epics(state, story),
        "epic_order": None,
        "tasks": [],
        "generated_from_issue": None,
        "generated_from_task": None,
        "from_task_ref": None,
        "origin_issue": None,
        "origin_task": None,
        "total_comments": sum(bool(entry["comment"]) for entry in story["history"]),
        "total_attachments": 0,
        "tribe_gig": None,
    }


def _epics(state: State, story: Row) -> list[dict[str, Any]] | None:
    rows = [state.rows("epics")[link["epic"]] for link in state.where("epic-links", user_story=story["id"])]
    projects = state.rows("projects")
    return [
        {key: epic[key] for key in ("id", "ref", "subject", "color")}
        | {"project": {key: projects[epic["project"]][key] for key in ("id", "name", "slug")}}
        for epic in rows
    ] or None


def _of_task(state: State, task: Row) -> dict[str, Any]:
    story = state.rows("userstories").get(task["user_story"])
    sprint = state.rows("milestones").get(task["milestone"])
    about = story and {
        **{key: story[key] for key in ("id", "ref", "subject")},
        "epics": _epics(state, story),
    }
    return {
        "user_story_extra_info": about,
        "milestone_slug": sprint and sprint["slug"],
        "external_reference": task["external_reference"],
        "due_date_status": _due(task),
        "finished_date": None,
        "total_comments": sum(bool(entry["comment"]) for entry in task["history"]),
    }


def _of_issue(state: State, issue: Row) -> dict[str, Any]:
    return {
        "external_reference": issue["external_reference"],
        "due_date_status": _due(issue),
        "finished_date": None,
    }


def _due(item: Row) -> str:
    return "set" if item["due_date"] else "not_set"


_MORE: Final = {"epics": _of_epic, "userstories": _of_story, "tasks": _of_task, "issues": _of_issue}
