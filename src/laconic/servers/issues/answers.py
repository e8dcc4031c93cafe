"""What the issue tools answer after a change or a count, in words and as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, Self

from pydantic import Field, PrivateAttr

from laconic.kit import Record, line_start, one_line
from laconic.servers.issues.models import Issue
from laconic.servers.issues.phrases import in_quotes, listed

_COMPARED: Final = (
    *("title", "description", "status", "priority", "type", "assignee", "project", "labels", "blocked_by"),
    "wrangler_context",
)
_NAMED: Final = 50  # pending issues in an answer


class _Said(Record):
    """An answer whose text is prepared."""

    _words: str = PrivateAttr("")

    def saying(self, words: str) -> Self:
        """Set the text."""
        self._words = words
        return self

    def write_text(self, format: str | None) -> str | None:
        """The prepared text."""
        return self._words


class Done(_Said, formats={"all": ("title", "type", "status", "changes", "at")}):
    """What a change did, in the words that callers know."""

    id: str
    title: str
    type: str
    status: str
    changes: list[str] = Field(default_factory=list)
    at: datetime | None = None
    _remarks: list[str] = PrivateAttr(default_factory=list)
    _lines: list[str] = PrivateAttr(default_factory=list)

    def lines(self) -> list[str]:
        """The same without headings: what was done, one line per changed field, then the warnings."""
        return self._lines

    def list_remarks(self) -> list[str]:
        """What is wrong with the file, and other warnings."""
        return self._remarks

    @classmethod
    def of(
        cls,
        issue: Issue,
        words: str,
        changes: Sequence[str] = (),
        at: datetime | None = None,
        differences: Sequence[str] = (),
    ) -> Self:
        """Describe what was done with an issue, and how each changed field differs."""
        facts = {"id": issue.id, "title": issue.title, "type": issue.type, "status": issue.status}
        warnings = [f"Warning: {one_line(warning)}" for warning in issue.warnings]
        heading = ["", "Changes:"] if differences else []
        said = "\n".join([words, *heading, *differences, *warnings])
        done = cls(**facts, changes=list(changes), at=at).saying(said)
        done._lines = [words, *differences, *warnings]
        return done.remarking(*issue.warnings)

    def remarking(self, *remarks: str) -> Self:
        """Add remarks of the text to what programs get."""
        self._remarks += remarks
        return self

    @classmethod
    def changed(cls, before: Issue, after: Issue) -> Self:
        """Describe each changed field, old and new."""
        differs = [name for name in _COMPARED if getattr(before, name) != getattr(after, name)]
        which = f"issue {in_quotes(after.title)} ({after.id})"
        lines = [_difference(name, getattr(before, name), getattr(after, name)) for name in differs]
        words = f"Updated {which}" if lines else f"No changes to {which}."
        names = ["wranglerContext" if name == "wrangler_context" else name for name in differs]
        return cls.of(after, words, names, after.updated_at, lines)


def _difference(name: str, old: Any, new: Any) -> str:
    if name in ("description", "wrangler_context"):
        return f"- {'Description' if name == 'description' else 'Context'} changed"
    return f"- {name.replace('_', ' ').capitalize()}: {_value(old, name)} → {_value(new, name)}"


def _value(value: Any, name: str) -> str:
    if not value:
        return "none"
    if name == "title":
        return in_quotes(value)
    return listed(value) if isinstance(value, list) else one_line(str(value))


class FieldValues(_Said, formats={"all": ("issue_id", "values", "context")}):
    """An answer about labels, projects or metadata: a text, and the same as data."""

    issue_id: str | None = None
    values: list[str] | None = None
    context: dict[str, Any] | None = None

    @classmethod
    def every(cls, what: str, values: Iterable[str]) -> Self:
        """List all values in use."""
        found = sorted(values)
        return cls(values=found).saying(f"All {what} ({len(found)}): {listed(found) or 'none'}")

    @classmethod
    def metadata(cls, issue: Issue) -> Self:
        """Show an issue's metadata, which agents keep there."""
        words = f"Metadata of {issue.id}: {issue.context_words or 'none'}"
        return cls(issue_id=issue.id, context=issue.wrangler_context or {}).saying(words)


class Completion(_Said, formats={"all": ("total", "complete", "all_complete", "pending")}):
    """How many issues of a scope are complete."""

    total: int
    complete: int
    all_complete: bool
    pending: list[str] = Field(default_factory=list)

    @classmethod
    def of(cls, total: int, pending: Sequence[tuple[str, str]]) -> Self:
        """Make the answer from the total and from the id and status of each incomplete issue."""
        done = total - len(pending)
        return cls(
            total=total,
            complete=done,
            all_complete=total > 0 and not pending,
            pending=[id for id, _ in pending],
        ).saying(_completion(total, done, pending))


def _completion(total: int, done: int, pending: Sequence[tuple[str, str]]) -> str:
    if not total:
        return "No issues found in this scope."
    if not pending:
        return f"All {total} issues complete."
    shown = listed(f"{id} ({status})" for id, status in pending[:_NAMED])
    more = f" and {len(pending) - _NAMED} more" if len(pending) > _NAMED else ""
    return f"{done} of {total} issues complete.\nPending: {shown}{more}"


class Stats(Record, formats={"all": ("by", "total", "counts")}):
    """Number of issues per value of a field."""

    by: str
    total: int
    counts: dict[str, int]

    def write_text(self, format: str | None) -> str | None:
        """One line per value, most frequent first."""
        lines = [f"{line_start(name)}: {count:,}" for name, count in self.counts.items()]
        return "\n".join([f"{self.total:,} issues by {one_line(self.by)}:", *lines])
