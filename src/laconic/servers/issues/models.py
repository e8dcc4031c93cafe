"""What an issue is, which fields belong to which format, and the words its requirements prescribe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Literal, get_args

from pydantic import Field

from laconic.kit import Record, line_start, one_line
from laconic.servers.issues.phrases import listed, one_word
from laconic.servers.issues.tolerant import written
from laconic.text import nearest, tagged

IssueType = Literal["issue", "specification", "idea"]
Status = Literal["open", "in_progress", "closed", "cancelled"]
Priority = Literal["low", "medium", "high", "critical"]

PREFIXES: Mapping[str, str] = {"issue": "ISS", "specification": "SPEC", "idea": "IDEA"}
COMPLETE = frozenset({"closed", "cancelled"})  # these count as done; their files are in the archive
STATUSES: tuple[str, ...] = get_args(Status)
PRIORITIES: tuple[str, ...] = get_args(Priority)
KEY_ORDER = (
    *("id", "title", "type", "status", "priority", "labels", "createdAt", "updatedAt", "closedAt"),
    *("archivedFrom", "assignee", "claimedAt", "project", "blockedBy", "wranglerContext"),
)
"""Order of keys in a file's header."""


class Issue(
    Record,
    formats={
        "minimal": ("title", "status", "held"),
        "summary": (
            *("title", "type", "status", "priority", "labels", "assignee", "project"),
            *("created_at", "updated_at", "held"),
        ),
        "full": (
            *("title", "type", "status", "priority", "labels", "assignee", "project", "blocked_by"),
            *("created_at", "updated_at", "closed_at", "held", "elsewhere", "version", "wrangler_context"),
            "description",
        ),
    },
    groups={
        "dates": ("created_at", "updated_at", "closed_at"),
        "description": ("version", "description"),  # who rewrites a text needs to know which one it replaces
    },
    default="summary",
    headings=(
        *("status", "priority", "type", "project", "labels", "assignee", "updated_at", "created_at", "held"),
    ),
    usual="status",
    bodies=("description",),
    choices=(
        *("title", "description", "type", "status", "priority", "labels", "assignee", "project"),
        *("blocked_by", "wrangler_context", "dates"),
    ),
):
    """An issue, a specification or an idea: one markdown file."""

    id: str
    title: str
    description: str = ""
    type: str = "issue"
    status: str = "open"
    priority: str = "medium"
    labels: list[str] = Field(default_factory=list)
    assignee: str | None = None
    project: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    closed_at: datetime | None = None
    blocked_by: list[str] = Field(default_factory=list)
    wrangler_context: dict[str, Any] | None = None
    warnings: list[str] = Field(default_factory=list)
    version: str | None = None  # of the whole file: changes with every byte of it
    path: str = ""  # relative to the workspace
    held: str | None = None  # who holds it, where and for how long
    elsewhere: list[str] = Field(default_factory=list)  # what it is in other work trees, if it changed there

    @classmethod
    def write_heading(
        cls, shown: int, total: int | None, *, start: int = 0, is_last: bool = True, about: str = ""
    ) -> str:
        """The first line of a list, as callers know it."""
        of = f" {about}" if about else ""
        if total is None or shown == total:
            return f"Found {shown} issue(s){of}:"
        which = f"{start + 1} to {start + shown}" if start and not is_last else str(shown)
        return f"{'The last ' if is_last else ''}{which} of {total} issues{of}:"

    def write_row(self, format: str | None, day: Callable[[date], str]) -> dict[str, str] | None:
        """A line for a list; the type is told if the id does not."""
        if format not in ("minimal", "summary"):
            return None
        words = {"id": line_start(self.id), "status": f"[{one_word(self.status)}]"}
        excerpt = ""
        if format == "minimal":
            words["title"] = one_line(self.title)
        else:
            self._add_summary(words, day)
            excerpt = " ".join(self.description.split())
        words["held"] = f"({one_line(self.held)})" if self.held else ""
        words["warnings"] = f"(!{self._warning()})" if self.warnings else ""
        words["description"] = f"\n  > {excerpt}" if excerpt else ""
        return words

    def _add_summary(self, words: dict[str, str], day: Callable[[date], str]) -> None:
        updated, created = self.updated_at, self.created_at
        is_older = updated and created and created.date() != updated.date()
        words["updated_at"] = day(updated) if updated else ""
        words["created_at"] = f"(from {day(created)})" if created and is_older else ""
        words["priority"] = one_word(self.priority)
        is_told = self.type == "issue" or self.id.startswith(f"{PREFIXES.get(self.type)}-")
        words["type"] = "" if is_told else one_word(self.type)
        words["project"] = f"{one_line(self.project)}:" if self.project else ""
        words["title"] = one_line(self.title)
        words["assignee"] = f"@{one_line(self.assignee)}" if self.assignee else ""
        words["labels"] = f"[{listed(self.labels)}]" if self.labels else ""

    @classmethod
    def write_shared(cls, words: Mapping[str, str]) -> str:
        """What several lines have in common, in a heading."""
        said = dict(words)
        if "project" in said:
            said["project"] = f"project {said['project'].removesuffix(':')}"
        if "updated_at" in said:
            said["updated_at"] = f"updated {said['updated_at']}"
        return " ".join(said.values())

    def write_text(self, format: str | None) -> str | None:
        """The whole issue in markdown."""
        words = tagged("description", self.description) if self.description else ""
        return "\n".join([f"# {one_line(self.title)}", "", *self._facts(), "", "## Description", "", words])

    def list_remarks(self) -> list[str]:
        """What is wrong with the file."""
        return self.warnings

    def _warning(self) -> str:
        *others, last = self.warnings or [""]
        return one_line("; ".join([*(words.rstrip(".") for words in others), last]))

    def _facts(self) -> list[str]:
        dates = {"Created": self.created_at, "Updated": self.updated_at, "Closed": self.closed_at}
        facts = {
            "ID": self.id,
            "Type": self.type,
            "Status": self.status,
            "Priority": self.priority,
            "Labels": listed(self.labels),
            "Assignee": self.assignee,
            "Claim": self.held,
            "Elsewhere": "; ".join(self.elsewhere),
            "Project": self.project,
            "Blocked by": listed(self.blocked_by),
            **{name: f"{at:%Y-%m-%d %H:%M}Z" for name, at in dates.items() if at},
            "Version": self.version,
            "Context": self.context_words,
            "Warning": self._warning(),
        }
        return [f"**{name}:** {one_line(value)}" for name, value in facts.items() if value]

    @property
    def context_words(self) -> str:
        """The metadata on one line, as JSON."""
        return one_line(written(self.wrangler_context)) if self.wrangler_context else ""

    @property
    def is_complete(self) -> bool:
        """True if nothing is left to do."""
        return self.status in COMPLETE


def near_ids(reference: str, ids: list[str]) -> list[str]:
    """Return ids that were probably meant."""
    return nearest(reference, ids, most=3, least=0.8)
