"""Projects and what belongs to them, as the API sends them."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.site.kinds import KINDS
from laconic.sandbox.taiga.site.people import Visitor

__all__ = ["EMBEDDED", "detail", "listed", "members", "memberships"]

EMBEDDED: Final = {
    **{kind.embedded: kind.statuses for kind in KINDS.values()},
    "priorities": "priorities",
    "severities": "severities",
    "issue_types": "issue-types",
    "points": "points",
    "roles": "roles",
}
_SHOWN: Final = (
    *("id", "name", "slug", "description", "created_date", "modified_date", "owner", "is_private"),
    *("is_epics_activated", "is_backlog_activated", "is_kanban_activated", "is_issues_activated"),
    *("is_wiki_activated", "blocked_code", "archived_code", "tags_colors", "total_milestones"),
    *("default_points", "default_priority", "default_severity", "default_issue_type"),
    *(kind.default for kind in KINDS.values()),
)


def listed(state: State, visitor: Visitor, project: Row) -> dict[str, Any]:
    """Return a project as lists have it: members are ids."""
    own = visitor.membership(project)
    shown = {name: project[name] for name in _SHOWN}
    users = [row["user"] for row in state.where("memberships", project=project["id"]) if row["user"]]
    return shown | {
        "tags_colors": [[name, colour] for name, colour in project["tags_colors"].items()],
        "members": users,
        "i_am_owner": visitor.user is not None and project["owner"] == visitor.user["id"],
        "i_am_admin": bool(own and own["is_admin"]),
        "i_am_member": own is not None,
        "my_permissions": sorted(visitor.permissions(project)),
    }


def detail(state: State, visitor: Visitor, project: Row) -> dict[str, Any]:
    """Return a project with its members and everything that its items refer to."""
    of = project["id"]
    embedded = {
        key: [
            {("project_id" if name == "project" else name): value for name, value in row.items()}
            for row in sorted(state.where(table, project=of), key=lambda row: (row["order"], row["name"]))
        ]
        for key, table in EMBEDDED.items()
    }
    sprints = state.where("milestones", project=of)
    return {
        **listed(state, visitor, project),
        **embedded,
        "members": members(state, project),
        "milestones": [{key: row[key] for key in ("id", "name", "slug", "closed")} for row in sprints],
        "swimlanes": None,
        "epic_custom_attributes": [],
        "userstory_custom_attributes": [],
        "task_custom_attributes": [],
        "issue_custom_attributes": [],
        "total_memberships": len(state.where("memberships", project=of)),
        "epics_csv_uuid": "a-secret-uuid",
        "transfer_token": "a-secret-token",
    }


def members(state: State, project: Row) -> list[dict[str, Any]]:
    """Return the members of a project; pending invitations are not among them."""
    rows = [row for row in state.where("memberships", project=project["id"]) if row["user"]]
    return [_member(state, row) for row in rows]


def _member(state: State, membership: Row) -> dict[str, Any]:
    user, role = state.rows("users")[membership["user"]], state.rows("roles")[membership["role"]]
    return {
        "id": user["id"],
        "username": user["username"],
        "full_name": user["full_name"],
        "full_name_display": user["full_name"],
        "role": role["id"],
        "role_name": role["name"],
        "is_active": True,
        "color": "#40826d",
        "photo": None,
        "gravatar_id": f"{user['id']:032x}",
    }


def memberships(state: State, visitor: Visitor, project: Row) -> list[dict[str, Any]]:
    """Return memberships with invitations; only administrators see e-mail addresses."""
    own = visitor.membership(project)
    rows = []
    for row in state.where("memberships", project=project["id"]):
        user = state.rows("users").get(row["user"])
        shown = {
            "id": row["id"],
            "user": row["user"],
            "project": project["id"],
            "role": row["role"],
            "role_name": state.rows("roles")[row["role"]]["name"],
            "is_admin": row["is_admin"],
            "is_owner": row["user"] == project["owner"],
            "full_name": user and user["full_name"],
            "is_user_active": user is not None,
            "invited_by": None,
            "created_at": project["created_date"],
        }
        if own and own["is_admin"]:
            shown |= {"email": row["email"], "user_email": user and user["email"]}
        rows.append(shown)
    return sorted(rows, key=lambda one: one["full_name"] or "")
