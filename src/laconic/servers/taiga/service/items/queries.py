"""Queries: filters of callers as Taiga understands them; it ignores silently what it does not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from laconic.kit import BadArguments, Problem
from laconic.servers.taiga.models.kinds import EPIC, STORY, Kind
from laconic.servers.taiga.service.projects import ActiveProject, NotInProject

NONE: Final = "none"  # in place of a sprint, an epic or a story: items that have none
_NULL: Final = "null"  # what Taiga calls it
_LONGEST: Final = 3_800  # letters of a query: some servers refuse a longer first line with a page
_ISSUE_LISTS: Final = {"types": "issue_types", "severities": "severities", "priorities": "priorities"}
_NAMES: Final = {"types": "type", "severities": "severity", "priorities": "priority"}


@dataclass
class ListQuery:
    """What is sent, and what of the answer is kept: some filters Taiga does not have."""

    sent: dict[str, Any]
    tests: list[Callable[[Mapping[str, Any]], bool]] = field(default_factory=list)


def query_of(kind: Kind, project: ActiveProject, filters: Mapping[str, Any], text: str | None) -> ListQuery:
    """Return the query for filters.

    Raises:
        BadArguments: a filter that this project or this kind does not have.
    """
    query: dict[str, Any] = {"project": project.id, "q": text}
    found = ListQuery(query)
    if filters.get("status_ids"):
        query["status"] = _ids(project, kind.statuses, filters["status_ids"], "statusIds")
    _assigned(kind, project, filters, found)
    if tags := filters.get("tags"):
        query["tags"] = ",".join(dict.fromkeys(_tag(tag) for tag in tags))
    if every := filters.get("all_tags"):
        names = {_tag(tag) for tag in every}
        query.setdefault("tags", _tag(every[0]))
        found.tests.append(lambda row: names <= {str(pair[0]) for pair in row["tags"]})
    if filters.get("is_closed") is not None:
        query["status__is_closed"] = "true" if filters["is_closed"] else "false"
    if filters.get("modified_since") is not None:
        query["modified_date__gte"] = _moment(filters["modified_since"])
    if filters.get("sprint_id") is not None:
        query["milestone"] = _sprint(project, filters["sprint_id"])
    for name in ("epic_id", "user_story_id"):
        if filters.get(name) is not None:
            query[name.removesuffix("_id")] = _NULL if filters[name] == NONE else filters[name]
    for name, key in _ISSUE_LISTS.items():
        if filters.get(name):
            query[_NAMES[name]] = _ids(project, key, filters[name], name)
    if len(urlencode({name: value for name, value in query.items() if value is not None})) > _LONGEST:
        raise BadArguments("The filters are too long for one request.", advice="Pass fewer or shorter ones.")
    return found


def _ids(project: ActiveProject, key: str, values: Sequence[str], argument: str) -> str:
    found = (str(project.named(key, value, argument)["id"]) for value in values)
    return ",".join(dict.fromkeys(found))


def _sprint(project: ActiveProject, value: str) -> Any:
    """Return what to send for a sprint; none is the backlog, unless a sprint is called so."""
    try:
        return project.named("milestones", value, "sprintId")["id"]
    except NotInProject:
        if value.casefold() != NONE:
            raise
        return _NULL


def _assigned(kind: Kind, project: ActiveProject, filters: Mapping[str, Any], query: ListQuery) -> None:
    values = filters.get("assignee_ids") or []
    found = (str(project.named("members", value, "assigneeIds")["id"]) for value in values)
    wanted = list(dict.fromkeys(found)) + ([_NULL] if filters.get("unassigned") else [])
    if kind is EPIC and len(wanted) > 1:  # Taiga finds epics of one assignee at a time
        known = {None if one == _NULL else int(one) for one in wanted}
        query.tests.append(lambda row: row["assigned_to"] in known)
    elif wanted:
        query.sent["assigned_users" if kind is STORY else "assigned_to"] = ",".join(wanted)


def _tag(tag: str) -> str:
    if "," in tag:
        message = f"Invalid tags: Taiga cannot look for '{tag[:40]}', because of its comma."
        raise BadArguments([Problem("tags", message, tag)])
    return tag.lower()


def _moment(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        message = (
            f"Invalid modifiedSince '{value[:40]}'. Expected: a date or time such as 2026-11-16T09:30:00Z."
        )
        raise BadArguments([Problem("modifiedSince", message, value)]) from None
