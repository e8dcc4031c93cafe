"""Routes around work items: epic links, the resolver, search, history, sprints, bulk creation, watching."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.taiga.answering import Answered, Asked, route
from laconic.sandbox.taiga.refusals import denied, missing, not_a_field
from laconic.sandbox.taiga.site.changing import create
from laconic.sandbox.taiga.site.checking import check_texts, number
from laconic.sandbox.taiga.site.finding import ids, matches_text
from laconic.sandbox.taiga.site.items import is_closed, listed
from laconic.sandbox.taiga.site.kinds import KINDS, Kind
from laconic.sandbox.taiga.site.state import Row

_LINKS: Final = "epics/{id}/related_userstories"
_TABLE: Final = "{table:epics|userstories|tasks|issues}"
_OF: Final = {"epic": "epics", "userstory": "userstories", "task": "tasks", "issue": "issues"}
_MOST: Final = 150  # rows of each kind in a search


@route("GET", _LINKS)
def list_links(asked: Asked, id: str) -> Answered:
    """List the stories of an epic."""
    epic = asked.row("epics", id)
    asked.visitor.check_view(asked.project_of(epic), "view_epics")
    links = asked.state.where("epic-links", epic=epic["id"])
    return asked.page([{key: link[key] for key in ("epic", "user_story", "order")} for link in links])


@route("POST", _LINKS)
def add_link(asked: Asked, id: str) -> Answered:
    """Link a story to an epic; only once."""
    epic = asked.row("epics", id)
    asked.visitor.check_write(asked.project_of(epic), "modify_epic")
    story = number(asked.body.get("user_story")) or 0
    if story not in asked.state.rows("userstories"):
        raise not_a_field(user_story=[f"Invalid pk '{story}' - object does not exist."])
    if asked.state.where("epic-links", epic=epic["id"], user_story=story):
        raise not_a_field(__all__=["Related user story with this User story and Epic already exists."])
    link = asked.state.add("epic-links", epic=epic["id"], user_story=story, order=asked.state.count("order"))
    return Answered({key: link[key] for key in ("epic", "user_story", "order")}, 201)


@route("DELETE", f"{_LINKS}/{{other}}")
def remove_link(asked: Asked, id: str, other: str) -> Answered:
    """Remove a story from an epic."""
    found = asked.state.where("epic-links", epic=int(id), user_story=int(other))
    if not found:
        raise missing("No match for the given query.")
    asked.visitor.check_write(asked.project_of(asked.row("epics", id)), "modify_epic")
    del asked.state.rows("epic-links")[found[0]["id"]]
    return Answered(status=204)


@route("GET", "search")
def search(asked: Asked) -> Answered:
    """Search all kinds at once: at most 150 each, without pages."""
    project = asked.state.rows("projects").get(number(asked.query.get("project")) or 0)
    if project is None:
        raise missing()
    text, found = asked.query.get("text", ""), dict[str, Any]()
    for table, kind in KINDS.items():
        if asked.visitor.sees(project, f"view_{kind.many}"):
            rows = [row for row in asked.state.where(table, project=project["id"]) if matches_text(row, text)]
            found[table] = [listed(asked.state, kind, row) for row in rows[:_MOST]]
    return Answered({**found, "count": sum(len(rows) for rows in found.values())})


@route("GET", "history/{of:epic|userstory|task|issue}/{id}")
def list_history(asked: Asked, of: str, id: str) -> Answered:
    """List what happened to an item, the newest first."""
    kind = KINDS[_OF[of]]
    item = asked.row(kind.table, id)
    asked.visitor.check_view(asked.project_of(item), f"view_{kind.many}")
    wanted = asked.query.get("type")
    entries = [entry for entry in reversed(item["history"]) if _is_wanted(entry, wanted)]
    return asked.page(entries, _entry)


def _is_wanted(entry: Row, wanted: str | None) -> bool:
    return wanted not in ("comment", "activity") or bool(entry["comment"]) is (wanted == "comment")


def _entry(entry: Row) -> dict[str, Any]:
    shown = {name: value for name, value in entry.items() if name != "fields"}
    return {**shown, "values_diff": entry["diff"], "comment_html": ""}


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
    stories = asked.state.where("userstories", milestone=row["id"])
    kind = KINDS["userstories"]
    closed = sum(is_closed(asked.state, kind, story) for story in stories)
    return {
        **row,
        "user_stories": [listed(asked.state, kind, story) for story in stories],
        "total_points": float(len(stories)),
        "closed_points": float(closed),
    }


@route("GET", "milestones/{id}/stats")
def sprint_stats(asked: Asked, id: str) -> Answered:
    """Read how far a sprint is."""
    row = asked.row("milestones", id)
    asked.visitor.check_view(asked.project_of(row), "view_milestones")
    stories = asked.state.where("userstories", milestone=row["id"])
    tasks = [task for story in stories for task in asked.state.where("tasks", user_story=story["id"])]
    return Answered(
        {
            **{key: row[key] for key in ("name", "estimated_start", "estimated_finish")},
            "total_points": {},
            "completed_points": [],
            "total_userstories": len(stories),
            "completed_userstories": sum(
                is_closed(asked.state, KINDS["userstories"], one) for one in stories
            ),
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


@route("POST", f"{_TABLE}/bulk_create")
def bulk_create(asked: Asked, table: str) -> Answered:
    """Create one item for each line of a text, all or nothing."""
    kind, body = KINDS[table], asked.body
    check_texts(body)
    project = asked.state.rows("projects").get(number(body.get("project_id")) or 0)
    if project is None:
        raise not_a_field(project_id=["Invalid pk"])
    if table == "tasks" and body.get("milestone_id") is None:
        raise not_a_field(milestone_id=["This field is required."])
    asked.visitor.check_write(project, f"add_{kind.word}")
    lines = str(body.get(f"bulk_{'stories' if table == 'userstories' else table}", "")).splitlines()
    more = {
        name: body[key]
        for name, key in (("status", "status_id"), ("user_story", "us_id"), ("milestone", "milestone_id"))
        if body.get(key) is not None
    }
    bodies = [{"subject": line.strip(), **more} for line in lines if line.strip()]
    rows = [create(asked.state, kind, project, asked.visitor.id, one, asked.now) for one in bodies]
    return Answered([listed(asked.state, kind, row) for row in rows])


@route("POST", f"{_TABLE}/{{id}}/{{verb:watch|unwatch|upvote|downvote}}")
def follow(asked: Asked, table: str, id: str, verb: str) -> Answered:
    """Watch an item, or vote for it; the answer is empty."""
    item = _seen(asked, KINDS[table], id)
    others = [one for one in item["watchers"] if one != asked.visitor.id]
    if verb in ("watch", "unwatch"):
        item["watchers"] = [*others, asked.visitor.id] if verb == "watch" else others
    return Answered()


def _seen(asked: Asked, kind: Kind, id: str) -> Row:
    _ = asked.visitor.known
    item = asked.state.rows(kind.table).get(int(id))
    if item is None:
        raise denied()
    asked.visitor.check_view(asked.project_of(item), f"view_{kind.many}")
    return item
