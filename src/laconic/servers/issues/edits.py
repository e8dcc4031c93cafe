"""Edits: what a call changes in an issue's file, such as a claim; checked and applied under the lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from laconic import text as texts
from laconic.kit import BadArguments, Moved, Problem
from laconic.servers.issues.models import COMPLETE, Issue
from laconic.servers.issues.timestamps import now
from laconic.stores.header.fences import in_line_ends_of
from laconic.stores.header.header import Header

if TYPE_CHECKING:
    from laconic.servers.issues.writing.changes import Change

_SINGLE: Final = ("title", "type", "status", "priority", "assignee", "project")
_MOST_LINES: Final = 40  # of a difference
_NOTES: Final = "**Completion Notes**"


def setting(values: Mapping[str, Any], *, claim: bool = False) -> Change:
    """Set the fields that are given; an empty string clears assignee or project. A claim is dated.

    `version` is the one the caller has read, and `old_str` and `new_str` replace a part of the text.
    """
    given = {name: value for name, value in values.items() if value is not None}

    def change(header: Header, issue: Issue) -> None:
        _refuse_other_version(issue, given)
        for name in _SINGLE:
            if name in given:
                header.set(name, given[name] or None)
        if (given.get("assignee", issue.assignee) or None) != issue.assignee:
            header.set("claimedAt", now() if claim else None)
        if "labels" in given:
            header.set("labels", list(given["labels"]))
        if "blocked_by" in given:
            header.set("blockedBy", list(given["blocked_by"]) or None)
        if "wrangler_context" in given:
            header.set("wranglerContext", given["wrangler_context"] or None)
        if "description" in given:
            header.set_body(given["description"])
        if "old_str" in given:
            header.set_body(_replaced(header.body, given["old_str"], given.get("new_str", "")))
        if "status" in given:
            _date(header, issue, given["status"])

    return change


def refuse_zero_bytes(values: Mapping[str, Any]) -> None:
    """Refuse zero bytes: git and editors treat a file that contains one as binary."""
    for name, value in values.items():
        if isinstance(value, str) and "\0" in value:
            raise BadArguments([Problem(name, f"Invalid {name}: it contains a zero byte.")])


def _replaced(body: str, old: str, new: str) -> str:
    """Replace a string that occurs once in the text as callers read it: without white space around it."""
    text = body.strip()
    start = body.find(text)
    return body[:start] + texts.replace_once(text, old, new).text + body[start + len(text) :]


def _refuse_other_version(issue: Issue, given: Mapping[str, Any]) -> None:
    """Refuse a change of another version than the caller has read, and show how the two texts differ."""
    expected, text = given.get("version"), given.get("description")
    if expected is None or expected == issue.version:
        return
    differs = texts.unified_diff(issue.description, text, most=_MOST_LINES).text.split("\n") if text else []
    raise Moved(
        f"Issue {issue.id}",
        expected=expected,
        current=issue.version,
        details={"from the present text to yours": differs} if differs else None,
    )


def following(before: Issue) -> Change:
    """Update the dates after a person edited the file, unless the person did so."""

    def change(header: Header, issue: Issue) -> None:
        if issue.updated_at == before.updated_at:
            header.set("updatedAt", now())
        if issue.closed_at == before.closed_at:
            _date(header, before, issue.status)

    return change


def _date(header: Header, issue: Issue, status: str) -> None:
    """Keep `closedAt` in step with a new status."""
    if status in COMPLETE and not issue.is_complete:
        header.set("closedAt", now())
    elif status not in COMPLETE and issue.closed_at is not None:
        header.set("closedAt", None)


def closing(note: str | None) -> Change:
    """Close the issue and append a note, unless the note is there already."""

    def change(header: Header, issue: Issue) -> None:
        if note and not _has_note(issue.description, note):
            added = f"\n\n---\n\n{_NOTES} ({now()}):\n\n{note}\n"
            header.set_body(header.body.rstrip() + in_line_ends_of(header.body, added))
        if not issue.is_complete:
            header.set("status", "closed")
            header.set("closedAt", now())

    return change


def _has_note(description: str, note: str) -> bool:
    _, found, last = description.rpartition(_NOTES)
    return bool(found) and last.rstrip().endswith(note.strip())


def labelling(operation: str, labels: Sequence[str]) -> Change:
    """Add or remove labels; the others keep their order."""

    def change(header: Header, issue: Issue) -> None:
        kept = [label for label in issue.labels if operation == "add" or label not in labels]
        new = [label for label in dict.fromkeys(labels) if label not in kept] if operation == "add" else []
        if [*kept, *new] != issue.labels:
            header.set("labels", [*kept, *new])

    return change


def remembering(operation: str, key: str, value: Any) -> Change:
    """Set or remove one key of the metadata."""

    def change(header: Header, issue: Issue) -> None:
        context = dict(issue.wrangler_context or {})
        if operation == "set":
            context[key] = value
        else:
            context.pop(key, None)
        header.set("wranglerContext", context or None)

    return change
