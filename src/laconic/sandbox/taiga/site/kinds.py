"""Kinds of work items: epics, user stories, tasks, issues, and what differs between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["KINDS", "Kind"]

_COMMON: Final = (
    "subject description status assigned_to tags is_blocked blocked_note watchers external_reference"
)


@dataclass(frozen=True)
class Kind:
    """What is particular about one kind of work item."""

    table: str  # also its path
    word: str  # in the resolver and in permissions
    many: str  # in the permission to view
    statuses: str  # the table of its statuses, also their path
    embedded: str  # the key of its statuses in a project
    default: str  # the key of the default status in a project
    fields: frozenset[str]  # what a body may set; everything else is ignored
    foreign: int  # the status that refuses what belongs to another project
    order: tuple[str, ...]  # of lists, unless they ask for another
    orders: frozenset[str]  # what `order_by` understands
    filters: frozenset[str]  # besides those that all kinds have


def _kind(
    table: str,
    word: str,
    many: str,
    statuses: str,
    more: str,
    foreign: int,
    order: str,
    orders: str,
    own: str,
) -> Kind:
    return Kind(
        table=table,
        word=word,
        many=many,
        statuses=f"{statuses}-statuses",
        embedded=f"{word}_statuses",
        default=f"default_{word}_status",
        fields=frozenset(f"{_COMMON} {more}".split()),
        foreign=foreign,
        order=tuple(order.split()),
        orders=frozenset(orders.split()),
        filters=frozenset(own.split()),
    )


_LISTED: Final = "project status created_date modified_date assigned_to subject total_voters"
_DUE: Final = "due_date due_date_reason milestone"

KINDS: Final = {
    kind.table: kind
    for kind in (
        _kind(
            *("epics", "epic", "epics", "epic"),
            "color client_requirement team_requirement epics_order",
            400,
            "project epics_order ref",
            "",
            "",
        ),
        _kind(
            *("userstories", "us", "us", "userstory"),
            f"{_DUE} points assigned_users swimlane client_requirement team_requirement "
            "backlog_order sprint_order",
            403,
            "project backlog_order ref",
            f"backlog_order sprint_order kanban_order epic_order milestone {_LISTED}",
            "assigned_users epic milestone role is_closed milestone__isnull status__is_archived",
        ),
        _kind(
            *("tasks", "task", "tasks", "task"),
            f"{_DUE} user_story is_iocaine us_order taskboard_order",
            400,
            "project created_date ref",
            f"milestone us_order {_LISTED}",
            "milestone user_story role",
        ),
        _kind(
            *("issues", "issue", "issues", "issue"),
            f"{_DUE} priority severity type",
            403,
            "project -id",
            f"type severity priority owner ref {_LISTED}",
            "milestone priority severity type role",
        ),
    )
}
