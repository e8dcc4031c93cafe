"""Sample data: a harbour's projects, the same every time."""

from __future__ import annotations

from typing import Any, Final

from laconic.sandbox.state import Row, State
from laconic.sandbox.taiga.site.changing import create, patch
from laconic.sandbox.taiga.site.kinds import KINDS
from laconic.sandbox.taiga.site.people import ALL, STAKEHOLDER, Visitor

__all__ = ["PASSWORD", "sample_state"]

PASSWORD: Final = "tall-ships-7731"  # of every user; no word, because secrets are hidden in answers
_DAY: Final = "2026-10-{:02}T09:00:00.000Z"

_STATUSES: Final = {
    "epics": "New Ready In_progress Ready_for_test Done!",
    "userstories": "New Ready In_progress Ready_for_test Done! Archived!",
    "tasks": "New In_progress Ready_for_test Closed! Needs_Info",
    "issues": "New In_progress Ready_for_test Closed! Needs_Info Rejected! Postponed",
}
_LEVELS: Final = {
    "priorities": ("Low", "Normal", "High"),
    "severities": ("Wishlist", "Minor", "Normal", "Important", "Critical"),
    "issue-types": ("Bug", "Question", "Enhancement"),
}
_POINTS: Final = {
    "?": None,
    "0": 0.0,
    "1/2": 0.5,
    "1": 1.0,
    "2": 2.0,
    "3": 3.0,
    "5": 5.0,
    "8": 8.0,
    "13": 13.0,
}
_USERS: Final = {
    "alice": "Alice Harper",
    "bob": "Bob Quay",
    "carol": "Carol Reed",
    "dora": "Dora Stone",
}
_STORIES: Final = (
    "Book a berth online", "Show free berths on a map", "Cancel a booking", "Pay by card", "Send an invoice",
    "Change the language", "Reset a forgotten password", "Export bookings as CSV", "Print a mooring permit",
    "Warn of strong wind", "Show the tide table", "Reserve the crane", "Register a guest boat",
    "Order fresh water", "Report a broken light", "Assign a harbour pilot", "Queue for fuel",
    "Show waiting times", "Rate the harbour", "Archive old bookings",
)  # fmt: skip
_TASKS: Final = ("Draw the form", "Write the service", "Test with two browsers")
_ISSUES: Final = (
    "Map is empty in Firefox", "Invoice shows the wrong year", "Crane can be booked twice",
    "Wind warning comes too late", "CSV has no header", "Login page is slow",
)  # fmt: skip
_COMMENTS: Final = (
    (2, "Two boats had it at noon on Friday."),
    (1, "Then the second booking must be refused."),
)


def sample_state() -> State:
    """Return a small site: one busy project, one of another team, and one of every special kind."""
    state = State()
    for name, full in _USERS.items():
        state.add("users", username=name, full_name=full, email=f"{name}@harbour.example")
    harbour = _project(state, "Harbour", "alice-harbour", owner=1, is_epics_activated=True)
    ferry = _project(state, "Ferry", "bob-ferry", owner=2, is_issues_activated=False)
    archived = _project(state, "Old pier", "alice-old-pier", owner=1, archived_code="archived-by-staff")
    blocked = _project(state, "Dry dock", "alice-dry-dock", owner=1, blocked_code="blocked-by-nonpayment")
    secret = _project(state, "Smugglers", "dora-smugglers", owner=4)
    _project(state, "Open sea", "dora-open-sea", owner=4, is_private=False)
    _join(state, harbour, 2, "Back")
    _join(state, harbour, 3, "Stakeholder", permissions=STAKEHOLDER)
    _invite(state, harbour, "eve@harbour.example")
    _join(state, ferry, 1, "Back")
    _fill(state, harbour)
    for project in (ferry, archived, blocked, secret):
        _item(state, "userstories", project, f"First story of {project['name']}", 1)
    _item(state, "issues", archived, "A leak", 1)
    return state


def _project(state: State, name: str, slug: str, owner: int, **more: Any) -> Row:
    project = state.add(
        "projects",
        **{"name": name, "slug": slug, "description": f"{name}, a practice project.", "owner": owner},
        **{"created_date": _DAY.format(1), "modified_date": _DAY.format(1), "total_milestones": 0},
        **{"is_private": True, "is_epics_activated": False, "is_backlog_activated": True},
        **{"is_kanban_activated": False, "is_issues_activated": True, "is_wiki_activated": True},
        **{"blocked_code": None, "archived_code": None, "tags_colors": {}, "refs": 0},
    )
    project |= more
    of = project["id"]
    for table, kind in KINDS.items():
        rows = [
            _status(state, kind.statuses, of, at, word) for at, word in enumerate(_STATUSES[table].split(), 1)
        ]
        project[kind.default] = rows[0]["id"]
    for table, names in _LEVELS.items():
        for order, level in enumerate(names, 1):
            state.add(table, project=of, name=level, order=order * 2 - 1, color="#b5c4d9")
    project["default_priority"] = state.where("priorities", project=of, name="Normal")[0]["id"]
    project["default_severity"] = state.where("severities", project=of, name="Normal")[0]["id"]
    project["default_issue_type"] = state.where("issue-types", project=of, name="Bug")[0]["id"]
    for order, (name, value) in enumerate(_POINTS.items(), 1):
        state.add("points", project=of, name=name, order=order, value=value)
    project["default_points"] = state.where("points", project=of, name="?")[0]["id"]
    _join(state, project, owner, "Product Owner", is_admin=True)
    return project


def _status(state: State, table: str, project: int, order: int, word: str) -> Row:
    name = word.rstrip("!").replace("_", " ")
    more = {"is_archived": name == "Archived", "wip_limit": None} if table.startswith("userstory") else {}
    return state.add(
        table,
        **{"project": project, "name": name, "slug": name.lower().replace(" ", "-"), "order": order},
        **{"is_closed": word.endswith("!"), "color": "#70728f"},
        **more,
    )


def _join(state: State, project: Row, user: int, role: str, **more: Any) -> None:
    permissions = sorted(more.pop("permissions", ALL))
    own = state.add(
        "roles",
        **{"project": project["id"], "name": role, "slug": role.lower().replace(" ", "-"), "order": user},
        **{"computable": role != "Stakeholder", "permissions": permissions},
    )
    row = {"project": project["id"], "user": user, "role": own["id"], "is_admin": False, "email": ""}
    state.add("memberships", **row | more)


def _invite(state: State, project: Row, email: str) -> None:
    role = state.where("roles", project=project["id"])[0]["id"]
    row = {"project": project["id"], "user": None, "role": role, "is_admin": False, "email": email}
    state.add("memberships", **row)


def _item(state: State, table: str, project: Row, subject: str, day: int, **more: Any) -> Row:
    body = {"subject": subject, "description": f"{subject}, as the harbour master asked.", **more}
    return create(state, KINDS[table], project, project["owner"], body, _DAY.format(day))


def _fill(state: State, project: Row) -> None:
    of = project["id"]
    for number, (start, end) in enumerate((("10-05", "10-16"), ("10-19", "10-30")), 1):
        state.add(
            "milestones",
            **{"project": of, "name": f"Sprint {number}", "slug": f"sprint-{number}", "closed": number == 1},
            **{"estimated_start": f"2026-{start}", "estimated_finish": f"2026-{end}", "owner": 1},
            **{"created_date": _DAY.format(2), "modified_date": _DAY.format(2), "order": number},
        )
    project["total_milestones"] = 2
    statuses = {row["name"]: row["id"] for row in state.where("userstory-statuses", project=of)}
    sizes = {row["name"]: row["id"] for row in state.where("points", project=of)}
    role = state.where("roles", project=of)[0]["id"]
    epics = [_item(state, "epics", project, name, 2) for name in ("Bookings", "Payments", "Safety")]
    for place, subject in enumerate(_STORIES):
        story = _item(
            *(state, "userstories", project, subject, 3 + place % 20),
            status=list(statuses.values())[place % 5],
            assigned_to=(None, 1, 2)[place % 3],
            tags=[("web", "office", "safety")[place % 3]],
            milestone=(None, 1, 2)[place % 3],
            points={str(role): sizes[("?", "1", "2", "3", "5")[place % 5]]},
        )
        if place % 2 == 0:
            state.add("epic-links", epic=epics[place % 3]["id"], user_story=story["id"], order=place)
    for place, subject in enumerate(_TASKS):
        _item(state, "tasks", project, subject, 24, user_story=1, assigned_to=(1, 2, None)[place])
    for place, subject in enumerate(_ISSUES):
        levels = {"priority": 1 + place % 3, "severity": 1 + place % 5, "type": 1 + place % 3}
        _item(state, "issues", project, subject, 25, assigned_to=(2, None)[place % 2], tags=["bug"], **levels)
    for number, (user, comment) in enumerate(_COMMENTS, 1):
        visitor = Visitor(state, state.rows("users")[user])
        body = {"comment": comment, "version": number}
        patch(state, KINDS["issues"], state.rows("issues")[3], visitor, body, _DAY.format(25 + number))
