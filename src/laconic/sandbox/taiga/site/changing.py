"""Changing work items: new ones, patches with a version, deletions with what they take along."""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.refusals import not_a_field
from laconic.sandbox.taiga.site.checking import check_fields, number
from laconic.sandbox.taiga.site.items import tasks_of
from laconic.sandbox.taiga.site.kinds import Kind
from laconic.sandbox.taiga.site.people import Visitor

__all__ = ["create", "delete", "patch"]

_STALE: Final = "The version doesn't match with the current one"
_NO_VERSION: Final = "The version parameter is not valid"
_UNSEEN: Final = {"userstories": {"assigned_to"}}  # fields whose conflicts Taiga does not detect
_QUIET: Final = {"version", "comment"}


def create(state: State, kind: Kind, project: Row, owner: int, body: dict[str, Any], now: str) -> Row:
    """Create an item from a body; unknown keys are ignored."""
    found = check_fields(state, kind, project, body, is_new=True)
    project["refs"] += 1
    order = int(project["refs"]) * 1000
    item: Row = {
        **_blank(state, kind, project),
        "ref": project["refs"],
        "project": project["id"],
        "owner": owner,
        "created_date": now,
        "modified_date": now,
        "version": 1,
        "history": [],
        "voters": [],
        **{name: order for name in _ORDERS[kind.table]},
        **found,
    }
    if "points" in found:
        item["points"] = _blank(state, kind, project)["points"] | found["points"]
    if kind.table == "userstories" and item["assigned_to"] and not item["assigned_users"]:
        item["assigned_users"] = [item["assigned_to"]]
    _settle(state, kind, item)
    return state.add(kind.table, **item)


_ORDERS: Final = {
    "epics": ("epics_order",),
    "userstories": ("backlog_order", "sprint_order", "kanban_order"),
    "tasks": ("us_order", "taskboard_order"),
    "issues": (),
}


def _blank(state: State, kind: Kind, project: Row) -> Row:
    """Return the values of what a body leaves out."""
    blank: Row = {"description": "", "status": project[kind.default], "assigned_to": None, "tags": []}
    blank |= {"is_blocked": False, "blocked_note": "", "watchers": [], "external_reference": None}
    if kind.table != "epics":
        blank |= {"due_date": None, "due_date_reason": "", "milestone": None}
    if kind.table in ("epics", "userstories"):
        blank |= {"client_requirement": False, "team_requirement": False}
    match kind.table:
        case "epics":
            return blank | {"color": "#d3506f"}
        case "userstories":
            roles = [row["id"] for row in state.where("roles", project=project["id"]) if row["computable"]]
            points = {str(role): project["default_points"] for role in roles}
            return blank | {"points": points, "assigned_users": [], "swimlane": None}
        case "tasks":
            return blank | {"user_story": None, "is_iocaine": False}
    return blank | {
        "priority": project["default_priority"],
        "severity": project["default_severity"],
        "type": project["default_issue_type"],
    }


def _settle(state: State, kind: Kind, item: Row) -> None:
    """Do what Taiga does by itself: no reason without a block; a task is in the sprint of its story."""
    if not item["is_blocked"]:
        item["blocked_note"] = ""
    if kind.table == "tasks" and item["user_story"]:
        item["milestone"] = state.rows("userstories")[item["user_story"]]["milestone"]


def patch(state: State, kind: Kind, item: Row, visitor: Visitor, body: dict[str, Any], now: str) -> None:
    """Change an item; an older version is merged unless one of the fields was changed since."""
    project = state.rows("projects")[item["project"]]
    _check_version(kind, item, body)
    found = check_fields(state, kind, project, body, is_new=False)
    if "points" in found:
        found["points"] = item["points"] | found["points"]
    if found.get("assigned_users") == [] and kind.table == "userstories":
        found["assigned_to"] = None
    before = dict(item)
    item.update(found)
    _settle(state, kind, item)
    _follow_assignee(kind, item, before)
    changed = [name for name in found if item[name] != before[name]]
    comment = str(body.get("comment") or "")
    item["version"] += 1
    if changed or comment:
        item["modified_date"] = now
        item["history"].append(_entry(visitor.known, changed, before, item, comment, now))
        if visitor.id not in item["watchers"]:
            item["watchers"] = [*item["watchers"], visitor.id]
    for task in tasks_of(state, item) if kind.table == "userstories" else ():
        task["milestone"] = item["milestone"]


def _follow_assignee(kind: Kind, item: Row, before: Row) -> None:
    """Count a new assignee of a story among its assigned users; the others stay."""
    new = item["assigned_to"]
    if (
        kind.table == "userstories"
        and new
        and new != before["assigned_to"]
        and new not in item["assigned_users"]
    ):
        item["assigned_users"] = [*item["assigned_users"], new]


def _check_version(kind: Kind, item: Row, body: dict[str, Any]) -> None:
    given = body.get("version")
    sent = number(given)
    if given is not None and sent is None:
        raise not_a_field(version=["Enter a whole number."])
    if sent is None or sent < 0 or sent > item["version"]:
        raise not_a_field(version=_NO_VERSION)
    behind = item["version"] - sent
    if not behind:
        return
    fields = {name for entry in item["history"][-behind:] for name in entry["fields"]}
    if (fields & (body.keys() - _QUIET)) - _UNSEEN.get(kind.table, set()):
        raise not_a_field(version=_STALE)


def _entry(user: Row, changed: list[str], before: Row, after: Row, comment: str, now: str) -> Row:
    return {
        "id": str(uuid4()),
        "user": {"pk": user["id"], "username": user["username"], "name": user["full_name"]},
        "created_at": now,
        "type": 1,
        "fields": changed,
        "diff": {name: [before[name], after[name]] for name in changed},
        "comment": comment,
        "delete_comment_date": None,
        "edit_comment_date": None,
    }


def delete(state: State, kind: Kind, item: Row) -> None:
    """Delete an item: a story takes its tasks along, an epic leaves its stories."""
    del state.rows(kind.table)[item["id"]]
    if kind.table == "userstories":
        for task in tasks_of(state, item):
            del state.rows("tasks")[task["id"]]
    end = {"epics": "epic", "userstories": "user_story"}.get(kind.table)
    for link in state.where("epic-links", **{end: item["id"]}) if end else ():
        del state.rows("epic-links")[link["id"]]
