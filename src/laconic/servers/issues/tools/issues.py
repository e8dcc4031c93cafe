"""The tools for issues, specifications and ideas: what the model sees."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from laconic.kit import UNLISTED, UNSET, Batch, CamelPart, Page, Problem, Shown, Unset, Window
from laconic.servers.issues.answers import Closed, Completion, Done, FieldValues, Gone, Stats, Updated
from laconic.servers.issues.filters import Filters
from laconic.servers.issues.models import Issue, IssueType, Priority, Status
from laconic.servers.issues.service import Categories, Tracker
from laconic.servers.issues.tools.parts import Id, Labels, Since, Text, Until
from laconic.servers.issues.tools.toolset import issues
from laconic.servers.issues.tools.updates import Update

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Ids = Annotated[list[Id], Field(min_length=1, max_length=50)]
Offset = Annotated[int, Field(ge=0)]
_FIND = "issues_list or issues_search finds ids."


class Context(CamelPart):
    """Metadata that an agent keeps with an issue."""

    agent_id: str | None = None
    parent_task_id: str | None = None
    estimated_effort: str | None = None


@issues.create(hint=_FIND)
def issues_create(
    tracker: Tracker,
    title: Title,
    description: Annotated[Text, "Markdown."],
    type: IssueType = "issue",
    status: Status = "open",
    priority: Priority = "medium",
    labels: Labels | None = None,
    assignee: str | None = None,
    project: str | None = None,
    blocked_by: Annotated[list[Id] | None, "Ids that must be done first."] = None,
    wrangler_context: Context | None = None,
) -> Done:
    """Create an issue, specification or idea."""
    values: dict[str, Any] = {
        "title": title,
        "type": type,
        "status": status,
        "priority": priority,
        "labels": labels or [],
    }
    values |= {
        "assignee": assignee,
        "project": project,
        "blockedBy": blocked_by,
        "wranglerContext": wrangler_context.wire() if wrangler_context else None,
    }
    return Done.created(*tracker.add(values, description))


@issues.read(hint="issues_search", unlisted=["type", "fields", "parentTaskId"])
def issues_list(
    tracker: Tracker,
    shown: Shown,
    window: Window = Window(size=25, most=1000, sizes={"full": 10}, offset=True),
    status: list[Status] | None = None,
    priority: list[Priority] | None = None,
    labels: Annotated[Labels | None, "Any of these."] = None,
    assignee: str | None = None,
    project: str | None = None,
    parent_task_id: str | None = None,
    types: list[IssueType] | None = None,
    type: IssueType | None = None,
    ready: Annotated[bool, "Only open, unassigned, unblocked; most urgent first."] = False,
) -> Page[Issue]:
    """List issues, newest change first. Read one with issues_get."""
    kinds = types or ([type] if type else None)
    filters = Filters(None, status, priority, labels, kinds, assignee, project, parent_task_id)
    return tracker.find(window, filters, ready=ready, whole="description" in shown)


class SearchFilters(CamelPart):
    """Which issues to search; issues_list lists most of them, so that they are described once."""

    ids: Annotated[list[str] | None, UNLISTED] = None
    status: Annotated[list[Status] | None, UNLISTED] = None
    priority: Annotated[list[Priority] | None, UNLISTED] = None
    labels: Annotated[Labels | None, UNLISTED] = None
    assignee: Annotated[str | None, UNLISTED] = None
    project: Annotated[str | None, UNLISTED] = None
    parent_task_id: Annotated[str | None, UNLISTED] = None
    types: Annotated[list[IssueType] | None, UNLISTED] = None
    type: Annotated[IssueType | None, UNLISTED] = None
    created_after: Annotated[Since | None, UNLISTED] = None
    created_before: Annotated[Until | None, UNLISTED] = None
    limit: Annotated[int | None, Field(gt=0), UNLISTED] = None
    offset: Annotated[int | None, Field(ge=0), UNLISTED] = None

    def plain(self) -> Filters:
        """Return the same filters for the service."""
        kinds = self.types or ([self.type] if self.type else None)
        return Filters(
            *(self.ids, self.status, self.priority, self.labels, kinds, self.assignee, self.project),
            *(self.parent_task_id, self.created_after, self.created_before),
        )

    def window(self, given: Window) -> Window:
        """Return which hits to show; older callers pass limit and offset here."""
        return replace(given, limit=min(self.limit or given.count, given.most), start=self.offset or 0)


@issues.read(hint="issues_list", fields=None, unlisted=["format", "fields"], gathers="filters")
def issues_search(
    tracker: Tracker,
    query: Annotated[Text, "The exact words."],
    window: Window = Window(size=25, most=1000),
    fields: list[Literal["title", "description", "labels"]] | None = None,
    filters: Annotated[
        SearchFilters | None,
        "As in issues_list: status, priority, labels, …; also createdAfter, createdBefore.",
    ] = None,
    sort_by: Literal["created", "updated", "priority", "status"] | None = None,
    sort_order: Literal["asc", "desc"] = "asc",
    include_description: Annotated[bool, "With an excerpt of each."] = False,
) -> Page[Issue]:
    """Find issues by words in title, description or labels, best match first."""
    chosen = filters or SearchFilters()
    sort = (sort_by, sort_order == "desc") if sort_by else None
    where = fields or ["title", "description", "labels"]
    return tracker.search(
        chosen.window(window), query, where, chosen.plain(), sort, excerpts=include_description
    )


@issues.read(hint=_FIND, format="full", subject="issue:{id}", unlisted=["format"])
def issues_get(tracker: Tracker, id: Id) -> Issue:
    """Read one issue in full, or only some fields of it."""
    return tracker.get(id)


@issues.read(hint=_FIND, format="full", unlisted=["format", "fields"])
def issues_get_batch(tracker: Tracker, ids: Ids) -> Batch[Issue]:
    """Read up to 50 issues at once; fields as in issues_get."""
    return tracker.get_many(ids)


def _one_text(given: Mapping[str, Any]) -> Problem | None:
    """Refuse half a replacement, and a new text together with a replacement in the old one."""
    given = {name: value for name, value in given.items() if value is not None}
    if "oldStr" not in given and "newStr" not in given:
        return None
    missing = next((name for name in ("oldStr", "newStr") if name not in given), None)
    if missing:
        return Problem(missing, f"Missing {missing}: oldStr and newStr go together.")
    both = "description" in given
    return Problem("description", "Pass description, or oldStr and newStr.") if both else None


@issues.update(
    hint=_FIND, subject="issue:{id}", unlisted=["wranglerContext", "version", "takeOver"], rules=[_one_text]
)
def issues_update(
    tracker: Tracker,
    id: Id,
    title: Title | None = None,
    description: Annotated[str | None, Field(min_length=1), "Replaces the whole."] = None,
    type: IssueType | None = None,
    status: Status | None = None,
    priority: Priority | None = None,
    labels: Annotated[Labels | None, "Replaces all."] = None,
    assignee: Annotated[str | None, "Empty: nobody."] = None,
    project: Annotated[str | None, "Empty: none."] = None,
    blocked_by: list[Id] | None = None,
    wrangler_context: Context | None = None,
    old_str: Annotated[str | None, Field(min_length=1), "Text in the description, occurring once."] = None,
    new_str: Annotated[str | None, "Its replacement."] = None,
    version: Annotated[str | None, "As issues_get showed it: refused if it has changed."] = None,
    claim: Annotated[bool, "Take it for assignee, refused if somebody else has it."] = False,
    take_over: bool = False,
) -> Updated:
    """Change an issue; omitted fields stay."""
    values: dict[str, Any] = {
        "title": title,
        "description": description,
        "type": type,
        "status": status,
        "priority": priority,
    }
    values |= {"labels": labels, "assignee": assignee, "project": project, "blocked_by": blocked_by}
    values |= {"wrangler_context": wrangler_context.wire() if wrangler_context else None}
    values |= {"old_str": old_str, "new_str": new_str, "version": version}
    return tracker.change(id, values, claim=claim or take_over, take_over=take_over)


@issues.update
def issues_update_batch(
    tracker: Tracker, updates: Annotated[list[Update], Field(min_length=1, max_length=50)]
) -> Batch[Updated]:
    """Change up to 50 issues at once; each succeeds or fails by itself."""
    return tracker.change_many([update.values() for update in updates])


@issues.delete(hint=_FIND, subject="issue:{id}", confirm="Delete issue {id} for good?")
def issues_delete(tracker: Tracker, id: Id) -> Gone:
    """Delete an issue for good."""
    return Gone.naming(tracker.remove(id))


@issues.update(hint=_FIND, subject="issue:{issueId}", reads_with={"operation": ["list"]})
def issues_labels(
    categories: Categories,
    operation: Literal["list", "add", "remove"],
    issue_id: Annotated[Id | None, "For list: omit it for all labels in use."] = None,
    labels: Labels | None = None,
    offset: Offset = 0,
) -> FieldValues:
    """List, add or remove labels."""
    return categories.labels(operation, issue_id, labels or [], offset)


@issues.update(hint=_FIND, subject="issue:{issueId}", reads_with={"operation": ["get"]})
def issues_metadata(
    categories: Categories,
    operation: Literal["get", "set", "remove"],
    issue_id: Id,
    key: Id | None = None,
    value: Annotated[Any, "Any JSON."] = UNSET,
) -> FieldValues:
    """Read or change what agents keep with an issue."""
    is_given = not isinstance(value, Unset)
    return categories.metadata(operation, issue_id, key, value if is_given else None, is_given=is_given)


@issues.update(hint=_FIND, subject="issue:{issueId}", reads_with={"operation": ["list"]}, unlisted=["offset"])
def issues_projects(
    categories: Categories,
    operation: Literal["list", "add", "remove"],
    issue_id: Id | None = None,
    project: str | None = None,
    offset: Offset = 0,
) -> FieldValues:
    """List projects, or add an issue to one or remove it."""
    return categories.projects(operation, issue_id, project, offset)


@issues.read(hint=_FIND, fields=None)
def issues_all_complete(
    tracker: Tracker,
    issue_ids: Annotated[list[Id] | None, Field(min_length=1)] = None,
    parent_task_id: str | None = None,
    labels: Labels | None = None,
    project: str | None = None,
    types: list[IssueType] | None = None,
) -> Completion:
    """Check whether all issues in a scope are closed or cancelled, and which are not."""
    filters = Filters(labels=labels, types=types or ["issue"], project=project, parent=parent_task_id)
    return tracker.all_complete(filters, issue_ids or [])


@issues.update(hint=_FIND, subject="issue:{id}")
def issues_mark_complete(
    tracker: Tracker, id: Id, note: Annotated[str | None, "Added at the end."] = None
) -> Closed:
    """Close an issue."""
    return tracker.complete(id, note)


@issues.read(fields=None)
def issues_stats(
    tracker: Tracker,
    group_by: Literal["status", "priority", "project", "assignee", "type"],
    status: list[Status] | None = None,
    priority: list[Priority] | None = None,
    labels: Labels | None = None,
    project: str | None = None,
    type: IssueType | None = None,
) -> Stats:
    """Count issues by a field."""
    kinds = [type] if type else None
    filters = Filters(status=status, priority=priority, labels=labels, project=project, types=kinds)
    return tracker.stats(group_by, filters)
