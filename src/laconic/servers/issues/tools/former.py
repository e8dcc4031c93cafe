"""The keys under `metadata` that callers of earlier servers read, by tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from laconic.kit import Page
from laconic.servers.issues.answers import Closed, Completion, Done, FieldValues, Updated
from laconic.servers.issues.models import Issue
from laconic.servers.issues.timestamps import now, stamp

__all__ = ["former_keys"]

_PROVIDER: Final = {"provider": "markdown"}
_FILTERS: Final = ("status", "priority", "labels", "assignee", "project", "parentTaskId", "types", "type")
_SCOPE: Final = ("issueIds", "parentTaskId", "labels", "project", "types")
Arguments = Mapping[str, Any]


def former_keys(tool: str, arguments: Arguments, value: Any) -> dict[str, Any]:
    """Return the keys that a tool's answer had; none for tools that are new."""
    keys = _KEYS.get(tool)
    return keys(arguments, value) if keys is not None and value is not None else {}


def _create(_: Arguments, done: Done) -> dict[str, Any]:
    kind = {"issueId": done.id, "type": done.issue.type}
    return {**kind, **_PROVIDER, "createdAt": _at(done.issue.created_at)}


def _list(given: Arguments, page: Page[Issue]) -> dict[str, Any]:
    start = page.start or 0
    filters = {name: given[name] for name in _FILTERS if given.get(name) not in (None, [])}
    filters |= {"limit": given.get("limit") or len(page.items), "offset": given.get("offset") or start}
    found = {"totalIssues": page.total, **_PROVIDER, "filters": filters}
    return {**found, "format": given.get("format") or "summary"}


def _search(given: Arguments, page: Page[Issue]) -> dict[str, Any]:
    counts = {"totalResults": page.total, "displayedResults": len(page.items)}
    return {**counts, "query": given.get("query"), **_PROVIDER}


def _get(_: Arguments, issue: Issue) -> dict[str, Any]:
    known = {
        "id": issue.id,
        "title": issue.title,
        "description": issue.description,
        "type": issue.type,
        "status": issue.status,
        "priority": issue.priority,
        "labels": issue.labels,
        "assignee": issue.assignee,
        "project": issue.project,
        "createdAt": _at(issue.created_at),
        "updatedAt": _at(issue.updated_at),
        "closedAt": _at(issue.closed_at),
        "wranglerContext": issue.wrangler_context,
    }
    facts = {"issueId": issue.id, "type": issue.type, "status": issue.status, "priority": issue.priority}
    return {**facts, **_PROVIDER, "issue": {name: one for name, one in known.items() if one is not None}}


def _update(_: Arguments, done: Updated) -> dict[str, Any]:
    return {"issueId": done.id, **_PROVIDER, "updatedAt": _at(done.at), "changes": list(done.was)}


def _delete(_: Arguments, done: Done) -> dict[str, Any]:
    return {"issueId": done.id, **_PROVIDER, "deletedAt": now()}


def _labels(given: Arguments, found: FieldValues) -> dict[str, Any]:
    labels = {"labels": found.values or []}
    if found.issue_id is None:
        return {**labels, "totalLabels": len(found.values or [])}
    operation = {} if given.get("operation") == "list" else {"operation": given.get("operation")}
    return {"issueId": found.issue_id, **operation, **labels}


def _metadata(given: Arguments, found: FieldValues) -> dict[str, Any]:
    if given.get("operation") == "get":
        return {"issueId": found.issue_id, "wranglerContext": found.context or {}}
    key = given.get("key")
    value = {"value": (found.context or {}).get(str(key))} if given.get("operation") == "set" else {}
    return {"issueId": found.issue_id, "key": key, **value}


def _projects(given: Arguments, found: FieldValues) -> dict[str, Any]:
    if found.issue_id is None:
        return {"projects": found.values or [], "totalProjects": len(found.values or [])}
    return {"issueId": found.issue_id, **({"project": found.values[0]} if found.values else {})}


def _all_complete(given: Arguments, found: Completion) -> dict[str, Any]:
    counts = {"totalIssues": found.total, "completedIssues": found.complete}
    counts["pendingIssues"] = found.total - found.complete
    state = {"allComplete": found.all_complete, "noIssues": found.total == 0}
    pending = {"pendingIssueIds": found.pending, "pendingIssueTitles": found.titles}
    return {**counts, **state, **pending, "scope": {name: given[name] for name in _SCOPE if given.get(name)}}


def _mark_complete(_: Arguments, done: Closed) -> dict[str, Any]:
    return {"issueId": done.id, "status": done.status, "closedAt": _at(done.issue.closed_at)}


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else stamp(moment.astimezone(UTC))


_KEYS: Final[Mapping[str, Callable[[Arguments, Any], dict[str, Any]]]] = {
    "issues_create": _create,
    "issues_list": _list,
    "issues_search": _search,
    "issues_get": _get,
    "issues_update": _update,
    "issues_delete": _delete,
    "issues_labels": _labels,
    "issues_metadata": _metadata,
    "issues_projects": _projects,
    "issues_all_complete": _all_complete,
    "issues_mark_complete": _mark_complete,
}
