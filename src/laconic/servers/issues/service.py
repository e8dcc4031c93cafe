"""What may be done with issues: the rules, in the user's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from laconic.kit import BadArguments, Batch, Conflict, Failure, Page, Problem, Window
from laconic.servers.issues.filters import Filters
from laconic.servers.issues.models import COMPLETE, PRIORITIES, Completion, Done, Issue, Stats, Told
from laconic.servers.issues.store import Entry, IssueStore
from laconic.stores.header import Header

Change = Callable[[Header, Issue], None]

_ORDER = {name: number for number, name in enumerate(PRIORITIES)}
_LATE = "9999"


class Tracker:
    """Issues, specifications and ideas of one workspace."""

    def __init__(self, store: IssueStore) -> None:
        self._store = store

    def find(
        self, window: Window, filters: Filters, *, ready: bool = False, whole: bool = False
    ) -> Page[Issue]:
        """List issues, newest change first; the ready ones by priority and age."""
        entries = self._store.entries()
        kept = [entry for entry in entries if filters.keep(entry)]
        if not ready:
            page = window.cut(kept, key=lambda entry: (entry.updated or 0, entry.path), reverse=True)
        else:
            page = window.cut(self._ready(kept, entries), key=_urgency)
        return _page(page, [self._shown(entry, whole) for entry in page.items])

    def _ready(self, kept: Iterable[Entry], entries: Iterable[Entry]) -> list[Entry]:
        """Open, nobody's, and nothing unfinished in the way."""
        waiting = {entry.id for entry in entries if entry.status not in COMPLETE}
        return [
            entry
            for entry in kept
            if entry.status == "open" and not entry.assignee and not waiting & set(entry.blocked_by)
        ]

    def _shown(self, entry: Entry, whole: bool) -> Issue:
        return self._store.read(entry) if whole else entry.issue()

    def search(
        self,
        window: Window,
        query: str,
        fields: Sequence[str],
        filters: Filters,
        sort: tuple[str, bool] | None,
        *,
        excerpts: bool,
    ) -> Page[Issue]:
        """Find words in titles, descriptions and labels; best first unless a sort is named."""
        found = self._store.search(query, fields, filters.keep)
        if sort is None:
            page = window.cut(found, key=lambda hit: (-hit.score, _late(hit.entry), hit.entry.path))
        else:
            name, is_down = sort
            page = window.cut(
                found, key=lambda hit: (_sorted_by(hit.entry, name), hit.entry.path), reverse=is_down
            )
        shown = [hit.entry.issue(description=hit.excerpt() if excerpts else "") for hit in page.items]
        return _page(page, shown)

    def get(self, reference: str) -> Issue:
        """Read one by its id, its file's name or an unambiguous number."""
        return self._store.read(self._store.find(reference))

    def get_many(self, references: Sequence[str]) -> Batch[Issue]:
        """Read several; what is not there spoils no other."""
        found: list[Issue] = []
        failed: dict[str, str] = {}
        with self._store.one_look():
            for reference in references:
                try:
                    found.append(self.get(reference))
                except Failure as failure:
                    failed[reference] = failure.message
        return Batch(found, failed)

    def add(self, values: Mapping[str, Any], description: str) -> tuple[Issue, str]:
        """Keep a new one; also says which other has the same title."""
        same = next((entry.id for entry in self._store.entries() if entry.title == values["title"]), "")
        return self._store.create(values, description), same

    def change(self, reference: str, values: Mapping[str, Any], *, claim: bool = False) -> Done:
        """Change some of it; a claim is refused when somebody else holds it."""
        before, after = self._store.edit(reference, _edits(values, claim=claim))
        return _changed(before, after)

    def change_many(self, updates: Sequence[Mapping[str, Any]]) -> Batch[Issue]:
        """Change several; each succeeds or fails by itself."""
        done: list[Issue] = []
        failed: dict[str, str] = {}
        with self._store.one_look():
            for update in updates:
                reference = str(update["id"])
                values = {name: value for name, value in update.items() if name != "id"}
                try:
                    done.append(self._store.edit(reference, _edits(values))[1])
                except Failure as failure:
                    failed[reference] = failure.message
        return Batch(done, failed, "Updated")

    def remove(self, reference: str) -> Issue:
        """Delete one for good."""
        issue = self.get(reference)
        self._store.delete(reference)
        return issue

    def complete(self, reference: str, note: str | None) -> tuple[Issue, bool]:
        """Close one, with a note at its end; the same again changes nothing."""
        before, after = self._store.edit(reference, _closing(note))
        return after, before != after

    def all_complete(self, filters: Filters, references: Sequence[str]) -> Completion:
        """Say whether nothing is left to do in a scope."""
        if references:
            with self._store.one_look():
                scope = [self._store.find(reference) for reference in references]
        else:
            scope = [entry for entry in self._store.entries() if filters.keep(entry)]
        pending = [entry for entry in scope if entry.status not in COMPLETE]
        done = len(scope) - len(pending)
        return Completion(
            total=len(scope),
            complete=done,
            all_complete=bool(scope) and not pending,
            pending=[entry.id for entry in pending],
            words=_completion_words(len(scope), done, pending),
        )

    def stats(self, group_by: str, filters: Filters) -> Stats:
        """Count by the values of a field, most first."""
        kept = [entry for entry in self._store.entries() if filters.keep(entry)]
        counts = Counter(str(getattr(entry, group_by) or "(none)") for entry in kept)
        return Stats(by=group_by, total=len(kept), counts=dict(counts.most_common()))

    def labels(self, operation: str, reference: str | None, labels: Sequence[str]) -> Told:
        """List, add or remove labels."""
        if operation == "list":
            return self._listed_labels(reference)
        if reference is None or not labels:
            missing = "issueId" if reference is None else "labels"
            raise BadArguments([Problem(missing, f"Missing {missing}: {operation} needs it.")])

        def change(header: Header, issue: Issue) -> None:
            kept = [label for label in issue.labels if operation == "add" or label not in labels]
            new = (
                [label for label in dict.fromkeys(labels) if label not in kept] if operation == "add" else []
            )
            header.set("labels", [*kept, *new])

        _, after = self._store.edit(reference, change)
        word = "Added labels to" if operation == "add" else "Removed labels from"
        words = f"{word} {after.id}. Current labels: {', '.join(after.labels) or 'none'}"
        return Told(issue_id=after.id, values=after.labels, words=words)

    def _listed_labels(self, reference: str | None) -> Told:
        if reference is not None:
            entry = self._store.find(reference)
            words = f"Labels of {entry.id}: {', '.join(entry.labels) or 'none'}"
            return Told(issue_id=entry.id, values=list(entry.labels), words=words)
        every = sorted({label for entry in self._store.entries() for label in entry.labels})
        return Told(values=every, words=f"All labels ({len(every)}): {', '.join(every) or 'none'}")

    def projects(self, operation: str, reference: str | None, project: str | None) -> Told:
        """List projects, or put an issue into one or out of it."""
        if operation == "list":
            every = sorted({entry.project for entry in self._store.entries() if entry.project})
            return Told(values=every, words=f"All projects ({len(every)}): {', '.join(every) or 'none'}")
        if reference is None or (operation == "add" and not project):
            missing = "issueId" if reference is None else "project"
            raise BadArguments([Problem(missing, f"Missing {missing}: {operation} needs it.")])
        new = project if operation == "add" else None
        _, after = self._store.edit(reference, _edits({"project": new or ""}))
        words = f"{after.id} is in project {after.project}." if new else f"{after.id} is in no project."
        return Told(issue_id=after.id, values=[after.project] if after.project else [], words=words)

    def metadata(
        self, operation: str, reference: str, key: str | None, value: Any, *, is_given: bool
    ) -> Told:
        """Read, set or remove what an agent keeps with an issue."""
        if operation == "get":
            issue = self.get(reference)
            return _context(issue)
        if key is None or (operation == "set" and not is_given):
            missing = "key" if key is None else "value"
            raise BadArguments([Problem(missing, f"Missing {missing}: {operation} needs it.")])

        def change(header: Header, issue: Issue) -> None:
            context = dict(issue.wrangler_context or {})
            if operation == "set":
                context[key] = value
            else:
                context.pop(key, None)
            header.set("wranglerContext", context or None)

        _, after = self._store.edit(reference, change)
        return _context(after)


def _context(issue: Issue) -> Told:
    context = issue.wrangler_context or {}
    said = ", ".join(f"{key}={value}" for key, value in context.items())
    return Told(issue_id=issue.id, context=context, words=f"Metadata of {issue.id}: {said or 'none'}")


def _page(page: Page[Any], shown: list[Issue]) -> Page[Issue]:
    key = page.key
    keys = {issue.path: key(item) for issue, item in zip(shown, page.items, strict=True)} if key else {}
    return Page(shown, page.total, page.next, page.start, (lambda issue: keys[issue.path]) if key else None)


def _stamp(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else ""


def _late(entry: Entry) -> int:
    """Newest first in an order that rises."""
    return -(entry.updated or 0)


def _urgency(entry: Entry) -> tuple[int, str, str]:
    return (-_ORDER.get(entry.priority, 1), _stamp(entry.created_at) or _LATE, entry.path)


def _sorted_by(entry: Entry, name: str) -> str | int:
    if name == "priority":
        return _ORDER.get(entry.priority, -1)
    if name == "status":
        return entry.status
    return _stamp(entry.created_at if name == "created" else entry.updated_at)


_SINGLE = {
    "title": "title",
    "type": "type",
    "status": "status",
    "priority": "priority",
    "assignee": "assignee",
    "project": "project",
}


def _edits(values: Mapping[str, Any], *, claim: bool = False) -> Change:
    """The change of some fields; an empty text takes assignee or project away."""

    def change(header: Header, issue: Issue) -> None:
        if claim:
            _check_claim(issue, values.get("assignee"))
        for name, key in _SINGLE.items():
            if values.get(name) is not None:
                header.set(key, values[name] or None)
        for name, key in (("labels", "labels"), ("blocked_by", "blockedBy")):
            if values.get(name) is not None:
                header.set(key, list(values[name]) or ([] if key == "labels" else None))
        if values.get("wrangler_context") is not None:
            header.set("wranglerContext", values["wrangler_context"] or None)
        if values.get("description") is not None:
            header.set_body(values["description"])
        status = values.get("status")
        if status in COMPLETE and issue.status not in COMPLETE:
            header.set("closedAt", _stamp(datetime.now(UTC)))
        elif status is not None and status not in COMPLETE and issue.closed_at is not None:
            header.set("closedAt", None)

    return change


def _check_claim(issue: Issue, agent: Any) -> None:
    """Two never hold the same: looked at inside the lock."""
    if issue.assignee and issue.assignee != agent:
        raise Conflict(
            f"Issue {issue.id} is held by {issue.assignee}.",
            code="RESOURCE_LOCKED",
            advice="Take another: issues_list with ready: true shows what is free.",
        )
    if issue.is_complete:
        raise Conflict(f"Issue {issue.id} is {issue.status} already.", advice="Take another one.")


def _closing(note: str | None) -> Change:
    def change(header: Header, issue: Issue) -> None:
        if note and not _has_note(issue.description, note):
            at = _stamp(datetime.now(UTC))
            header.set_body(
                f"{issue.description.rstrip()}\n\n---\n\n**Completion Notes** ({at}):\n\n{note}\n"
            )
        if not issue.is_complete:
            header.set("status", "closed")
            header.set("closedAt", _stamp(datetime.now(UTC)))

    return change


def _has_note(description: str, note: str) -> bool:
    _, found, last = description.rpartition("**Completion Notes**")
    return bool(found) and last.rstrip().endswith(note.strip())


def _changed(before: Issue, after: Issue) -> Done:
    quoted = {"title"}
    lines: list[str] = []
    changes: list[str] = []
    for name in (
        "title",
        "description",
        "status",
        "priority",
        "type",
        "assignee",
        "project",
        "labels",
        "blocked_by",
    ):
        old, new = getattr(before, name), getattr(after, name)
        if old == new:
            continue
        changes.append(name)
        if name == "description":
            lines.append("- Description changed")
        else:
            word = name.replace("_", " ").capitalize()
            lines.append(f"- {word}: {_value(old, name in quoted)} → {_value(new, name in quoted)}")
    if before.wrangler_context != after.wrangler_context:
        changes.append("wranglerContext")
        lines.append("- Context changed")
    head = f'Updated issue "{after.title}" ({after.id})'
    words = "\n".join([head, "", "Changes:", *lines]) if lines else f"{head}: no changes."
    return Done(
        id=after.id,
        title=after.title,
        type=after.type,
        status=after.status,
        changes=changes,
        at=after.updated_at,
        words=words,
    )


def _value(value: Any, is_quoted: bool) -> str:
    if not value:
        return "none"
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return f'"{text}"' if is_quoted else text


def _completion_words(total: int, done: int, pending: Sequence[Entry]) -> str:
    if not total:
        return "No issues found in this scope."
    if not pending:
        return f"All {total} issues complete."
    shown = ", ".join(f"{entry.id} ({entry.status})" for entry in pending[:50])
    more = f" and {len(pending) - 50} more" if len(pending) > 50 else ""
    return f"{done} of {total} issues complete.\nPending: {shown}{more}"
