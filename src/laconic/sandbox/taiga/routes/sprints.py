"""Routes of sprints."""

from __future__ import annotations

from typing import Any

from laconic.sandbox.state import Row
from laconic.sandbox.taiga.answering import Answered, Asked, route
from laconic.sandbox.taiga.refusals import not_a_field
from laconic.sandbox.taiga.site.checking import check_texts, number
from laconic.sandbox.taiga.site.finding import ids
from laconic.sandbox.taiga.site.items import is_closed, listed
from laconic.sandbox.taiga.site.kinds import KINDS


@route("GET", "milestones")
def list_sprints(asked: Asked) -> Answered:
    """List sprints, the latest first, with their stories."""
    state, projects = asked.state, asked.state.rows("projects")
    rows = [
        row
        for row in state.rows("milestones").values()
        if asked.visitor.sees(projects[row["project"]], "view_milestones")
    ]
    if "project" in asked.query:
        wanted = ids(asked.query["project"], "project")
        rows = [row for row in rows if row["project"] in wanted]
    if "closed" in asked.query:
        rows = [row for row in rows if row["closed"] is (asked.query["closed"] == "true")]
    rows.sort(key=lambda row: row["estimated_start"], reverse=True)
    return asked.page(rows, lambda row: _sprint(asked, row))


@route("GET", "milestones/{id}")
def read_sprint(asked: Asked, id: str) -> Answered:
    """Read a sprint."""
    row = asked.row("milestones", id)
    asked.visitor.check_view(asked.project_of(row), "view_milestones")
    return Answered(_sprint(asked, row))


def _sprint(asked: Asked, row: Row) -> dict[str, Any]:
    stories = [
        listed(asked.state, KINDS["userstories"], story, asked.me)
        for story in asked.state.where("userstories", milestone=row["id"])
    ]
    closed = [story for story in stories if story["is_closed"]]
    points = {"total_points": _points(stories), "closed_points": _points(closed)}
    return {**row, "user_stories": stories, **points}


def _points(stories: list[dict[str, Any]]) -> float:
    return float(sum(story["total_points"] or 0 for story in stories))


@route("GET", "milestones/{id}/stats")
def sprint_stats(asked: Asked, id: str) -> Answered:
    """Read how far a sprint is."""
    row = asked.row("milestones", id)
    asked.visitor.check_view(asked.project_of(row), "view_milestones")
    whole = _sprint(asked, row)
    stories = asked.state.where("userstories", milestone=row["id"])
    tasks = [task for story in stories for task in asked.state.where("tasks", user_story=story["id"])]
    return Answered(
        {
            **{key: row[key] for key in ("name", "estimated_start", "estimated_finish")},
            "total_points": {"1": whole["total_points"]},  # by role
            "completed_points": [whole["closed_points"]],
            "total_userstories": len(stories),
            "completed_userstories": sum(one["is_closed"] for one in whole["user_stories"]),
            "total_tasks": len(tasks),
            "completed_tasks": sum(is_closed(asked.state, KINDS["tasks"], one) for one in tasks),
            "iocaine_doses": 0,
            "days": [],
        }
    )


@route("POST", "milestones")
def create_sprint(asked: Asked) -> Answered:
    """Create a sprint: its name is unique in the project, and it ends after it starts."""
    body = asked.body
    check_texts(body)
    needed = ("project", "name", "estimated_start", "estimated_finish")
    if lacking := {name: ["This field is required."] for name in needed if not body.get(name)}:
        raise not_a_field(**lacking)
    project = asked.state.rows("projects").get(number(body["project"]) or 0)
    if project is None:
        raise not_a_field(project=["Invalid pk"])
    asked.visitor.check_write(project, "add_milestone")
    if asked.state.where("milestones", project=project["id"], name=body["name"]):
        raise not_a_field(name=["Duplicate"])
    if body["estimated_start"] > body["estimated_finish"]:
        raise not_a_field(__all__=["The estimated start must be previous to the estimated finish."])
    row = asked.state.add(
        "milestones",
        **{name: body[name] for name in ("name", "estimated_start", "estimated_finish")},
        **{"project": project["id"], "slug": str(body["name"]).lower().replace(" ", "-"), "closed": False},
        **{"owner": asked.visitor.id, "created_date": asked.now, "modified_date": asked.now, "order": 1},
    )
    return Answered(_sprint(asked, row), 201)
