"""Metadata: a project's statuses and members, from its detail."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from laconic.kit import Page, Window
from laconic.servers.taiga.models.kinds import KINDS
from laconic.servers.taiga.models.projects import Member, Status
from laconic.servers.taiga.service.parts import part_of
from laconic.servers.taiga.service.projects import ActiveProject

_OF_ISSUES: Final = {"priority": "priorities", "severity": "severities", "type": "issue_types"}


def statuses_of(project: ActiveProject, kind: str | None, window: Window) -> Page[Status]:
    """Return the statuses of a kind, or of all; those of issues with priorities, severities and types."""
    found = [status for one in KINDS if kind in (None, one) for status in _statuses(project, one)]
    return part_of(found, window)


def _statuses(project: ActiveProject, kind: str) -> Iterator[Status]:
    yield from (_status(row, kind) for row in project.statuses(KINDS[kind]))
    for word, key in _OF_ISSUES.items() if kind == "issue" else ():
        yield from (_status(row, f"issue {word}") for row in project.detail[key])


def _status(row: Mapping[str, Any], of: str) -> Status:
    return Status(
        id=row["id"],
        of=of,
        name=row["name"],
        is_closed=row.get("is_closed"),
        color=row.get("color"),
        order=row.get("order"),
    )


def members_of(
    project: ActiveProject, memberships: Sequence[Mapping[str, Any]], window: Window
) -> Page[Member]:
    """Return members by name, with what only their memberships know; invitations are counted."""
    known = {row["user"]: row for row in memberships if row.get("user") is not None}
    invited = sum(row.get("user") is None for row in memberships)
    members = [_member(row, known.get(row["id"], {})) for row in project.detail["members"]]
    members.sort(key=lambda one: (one.full_name, one.id))
    people = "person is" if invited == 1 else "people are"
    remark = f"{invited} more {people} invited and cannot be assigned yet." if invited else ""
    return replace(part_of(members, window), remark=remark)


def _member(row: Mapping[str, Any], membership: Mapping[str, Any]) -> Member:
    return Member(
        id=row["id"],
        username=row["username"],
        full_name=row.get("full_name_display") or row["full_name"],
        role=row["role_name"],
        is_admin=membership.get("is_admin"),
        is_owner=membership.get("is_owner"),
    )
