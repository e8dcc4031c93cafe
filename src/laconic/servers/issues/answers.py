"""What the issue tools answer after a change or a count, in words and as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any, Final, Self

from pydantic import Field, PrivateAttr

from laconic.kit import Record, line_start, one_line
from laconic.servers.issues.models import Issue
from laconic.servers.issues.phrases import in_quotes, listed
from laconic.text import to_camel

_COMPARED: Final = (
    *("title", "description", "status", "priority", "type", "assignee", "project", "labels", "blocked_by"),
    "wrangler_context",
)
_LONG: Final = ("description", "wrangler_context")  # of these, only that they changed is told
_NAMED: Final = 50  # pending issues in an answer
_VALUES: Final = 100  # labels or projects in an answer


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


class Done(_Said, formats={"all": ("at",)}):
    """What was done with an issue; nothing that the caller said already."""

    id: str
    at: datetime | None = None
    _issue: Issue = PrivateAttr()
    _remarks: list[str] = PrivateAttr(default_factory=list)
    _lines: list[str] = PrivateAttr(default_factory=list)

    @property
    def issue(self) -> Issue:
        """The issue after the change."""
        return self._issue

    def lines(self) -> list[str]:
        """The same for people: what was done, one line per changed field, then the warnings."""
        return self._lines

    def list_remarks(self) -> list[str]:
        """What is wrong with the file, and other warnings."""
        return self._remarks

    @classmethod
    def of(cls, issue: Issue, words: str, *, lines: Sequence[str] = (), **facts: Any) -> Self:
        """Describe what was done with an issue; `lines` say the same to people."""
        warnings = [f"Warning: {one_line(warning)}" for warning in issue.warnings]
        done = cls(id=issue.id, **facts).saying("\n".join([words, *warnings]))
        done._issue, done._lines = issue, [*(lines or [words]), *warnings]
        return done.remarking(*issue.warnings)

    def remarking(self, *remarks: str) -> Self:
        """Add remarks of the text to what programs get."""
        self._remarks += remarks
        return self

    @classmethod
    def created(cls, issue: Issue, same: str) -> Self:
        """Name the new issue, and another one that has the same title."""
        notes = [f"{same} has the same title."] if same else []
        words = " ".join([*notes, f"Created with ID: {issue.id}"])
        return cls.of(issue, words, at=issue.created_at).remarking(*notes)


class Updated(Done, noun="issue", formats={"all": ("was", "at")}, headings=("was",)):
    """What was there before a change."""

    was: dict[str, Any] = Field(default_factory=dict)  # of a long text, only that it changed
    _row: dict[str, str] | None = PrivateAttr(None)

    def write_row(self, format: str | None, day: Callable[[date], str]) -> dict[str, str] | None:
        """A line of a list."""
        return self._row

    @classmethod
    def between(cls, before: Issue, after: Issue, reference: str = "", unsaid: Sequence[str] = ()) -> Self:
        """Tell the old value of each changed field, and the new one of those that the caller did not set.

        The issue is named if the reference was not its id.
        """
        differs = _differing(before, after)
        which = f"issue {in_quotes(after.title)} ({after.id})"
        lines = [_difference(name, getattr(before, name), getattr(after, name)) for name in differs]
        now = {name: _value(getattr(after, name), name) for name in unsaid}
        said = f"Updated{_named(after, reference)}: {_old(before, differs, now)}."
        return cls.of(
            after,
            said if differs else "Nothing changed.",
            lines=[f"Updated {which}" if differs else f"No changes to {which}.", *lines],
            was=_was(before, differs),
            at=after.updated_at,
        )

    @classmethod
    def row(cls, before: Issue, after: Issue) -> Self:
        """Tell the same on a line of a list."""
        differs = _differing(before, after)
        changed = cls.of(after, "", was=_was(before, differs), at=after.updated_at)
        warnings = f"(!{one_line('; '.join(after.warnings))})" if after.warnings else ""
        changed._row = {"id": f"{line_start(after.id)}:", "was": _old(before, differs), "warnings": warnings}
        return changed


class Closed(Done, formats={"all": ("status", "at")}):
    """What an issue is now that it is complete."""

    status: str
    _is_new: bool = PrivateAttr(True)

    @property
    def is_new(self) -> bool:
        """False if nothing changed."""
        return self._is_new

    @classmethod
    def between(cls, before: Issue, after: Issue, reference: str) -> Self:
        """Tell that an issue is complete now, or was before."""
        named = _named(after, reference)
        if not before.is_complete:
            words = f"Closed{named}."
        else:
            note = "; the note was added" if before.description != after.description else ""
            words = f"{named.strip() or 'It'} was already {one_line(after.status)}{note}."
        done = cls.of(after, words, status=after.status, at=after.closed_at)
        done._is_new = before != after
        return done


class Gone(Done, formats={"all": ("title",)}):
    """What was deleted."""

    title: str

    @classmethod
    def naming(cls, issue: Issue) -> Self:
        """Name what is gone."""
        return cls.of(issue, f"Deleted issue {in_quotes(issue.title)} ({issue.id})", title=issue.title)


def _named(issue: Issue, reference: str) -> str:
    return "" if reference == issue.id else f" {issue.id}"


def _differing(before: Issue, after: Issue) -> list[str]:
    return [name for name in _COMPARED if getattr(before, name) != getattr(after, name)]


def _was(before: Issue, differs: Sequence[str]) -> dict[str, Any]:
    return {to_camel(name): None if name in _LONG else getattr(before, name) for name in differs}


def _old(before: Issue, differs: Sequence[str], now: Mapping[str, str] | None = None) -> str:
    """Name the fields that changed, with their old values, and the new ones of some."""
    new = {name: f" (now {value})" for name, value in (now or {}).items()}
    return ", ".join(_old_value(name, getattr(before, name)) + new.get(name, "") for name in differs)


def _old_value(name: str, value: Any) -> str:
    words = name.removeprefix("wrangler_").replace("_", " ")
    return (
        words if name in _LONG else f"{words} {'were' if name == 'labels' else 'was'} {_value(value, name)}"
    )


def _difference(name: str, old: Any, new: Any) -> str:
    if name in _LONG:
        return f"- {'Description' if name == 'description' else 'Context'} changed"
    return f"- {name.replace('_', ' ').capitalize()}: {_value(old, name)} → {_value(new, name)}"


def _value(value: Any, name: str) -> str:
    if not value:
        return "none"
    if name == "title":
        return in_quotes(value)
    return listed(value) if isinstance(value, list) else one_line(str(value))


class FieldValues(
    _Said, formats={"all": ("issue_id", "values", "context", "counts", "total", "next_offset")}
):
    """An answer about labels, projects or metadata: a text, and the same as data."""

    issue_id: str | None = None
    values: list[str] | None = None
    context: dict[str, Any] | None = None
    counts: list[int] | None = None  # how many issues have each of the values
    total: int | None = None  # of values in use
    next_offset: int | None = None  # of the next page of values

    @classmethod
    def used(cls, what: str, counts: Mapping[str, int], offset: int) -> Self:
        """List the values in use, most used first, a page of them."""
        if not counts:
            return cls(values=[], counts=[], total=0).saying(f"There are no {what}.")
        ordered = sorted(counts, key=lambda value: (-counts[value], value))
        shown = ordered[offset : offset + _VALUES]
        end = offset + len(shown)
        words = f"{len(ordered)} {what}, most used first; before each colon, the number of issues:"
        lines = [f"{count}: {listed(values)}" for count, values in groupby(shown, key=counts.__getitem__)]
        left = len(ordered) - end if shown else 0
        more = [f"{left} more. Pass offset {end} to see them."] if left else []
        if not shown:
            lines = [f"None from offset {offset} on."]
        return cls(
            values=shown,
            counts=[counts[value] for value in shown],
            total=len(ordered),
            next_offset=end if left else None,
        ).saying("\n".join([words, *lines, *more]))

    @classmethod
    def metadata(cls, issue: Issue, before: str = "") -> Self:
        """Show an issue's metadata, which agents keep there, after what a change did."""
        words = f"{before}Metadata of {issue.id}: {issue.context_words or 'none'}"
        return cls(issue_id=issue.id, context=issue.wrangler_context or {}).saying(words)


class Completion(_Said, formats={"all": ("total", "complete", "all_complete", "pending")}):
    """How many issues of a scope are complete."""

    total: int
    complete: int
    all_complete: bool
    pending: list[str] = Field(default_factory=list)
    _titles: list[str] = PrivateAttr(default_factory=list)

    @property
    def titles(self) -> list[str]:
        """The titles of the pending issues."""
        return self._titles

    @classmethod
    def of(cls, total: int, pending: Sequence[tuple[str, str]], titles: Sequence[str] = ()) -> Self:
        """Make the answer from the total and from the id, status and title of each incomplete issue."""
        done = total - len(pending)
        made = cls(
            total=total,
            complete=done,
            all_complete=total > 0 and not pending,
            pending=[id for id, _ in pending],
        ).saying(_completion(total, done, pending))
        made._titles = list(titles)
        return made


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
