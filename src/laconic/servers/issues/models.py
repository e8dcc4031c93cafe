"""What an issue is, which fields belong to which format, and the words its requirements prescribe."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from laconic.kit import Record, line_start, one_line
from laconic.servers.issues.phrases import listed
from laconic.servers.issues.tolerant import written
from laconic.text import nearest, tagged

IssueType = Literal["issue", "specification", "idea"]
Status = Literal["open", "in_progress", "closed", "cancelled"]
Priority = Literal["low", "medium", "high", "critical"]

PREFIXES: Mapping[str, str] = {"issue": "ISS", "specification": "SPEC", "idea": "IDEA"}
COMPLETE = frozenset({"closed", "cancelled"})  # these count as done; their files are in the archive
PRIORITIES = ("low", "medium", "high", "critical")
KEY_ORDER = (
    *("id", "title", "type", "status", "priority", "labels", "createdAt", "updatedAt", "closedAt"),
    *("assignee", "claimedAt", "project", "blockedBy", "wranglerContext"),
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
        return f"Found {total} issue(s){of}: showing {'the last ' if is_last else ''}{which} of {total}."

    def write_text(self, format: str | None) -> str | None:
        """A line for a list, or the whole issue in markdown."""
        if format == "minimal":
            return f"{self._start()} {one_line(self.title)}{self._holder()}{self._warned()}"
        if format == "summary":
            return self._line()
        words = tagged("description", self.description) if self.description else ""
        return "\n".join([f"# {one_line(self.title)}", "", *self._facts(), "", "## Description", "", words])

    def _start(self) -> str:
        return f"{line_start(self.id)} [{one_line(self.status)}]"

    def _line(self) -> str:
        kind = "" if self.type == "issue" else f" {one_line(self.type)}"
        labels = f" [{listed(self.labels)}]" if self.labels else ""
        who = f" @{one_line(self.assignee)}" if self.assignee else ""
        project = f" {one_line(self.project)}:" if self.project else ""
        day = f" {self.updated_at:%Y-%m-%d}" if self.updated_at else ""
        made = f" (from {self.created_at:%Y-%m-%d})" if self.created_at and day and self._is_older() else ""
        excerpt = " ".join(self.description.split())
        more = f"\n  > {excerpt}" if excerpt else ""
        line = (
            f"{self._start()} {one_line(self.priority)}{kind}{project} {one_line(self.title)}"
            f"{labels}{who}{day}{made}{self._holder()}"
        )
        return f"{line}{self._warned()}{more}"

    def _holder(self) -> str:
        return f" ({one_line(self.held)})" if self.held else ""

    def _is_older(self) -> bool:
        return bool(self.created_at and self.updated_at and self.created_at.date() != self.updated_at.date())

    def list_remarks(self) -> list[str]:
        """What is wrong with the file."""
        return self.warnings

    def _warning(self) -> str:
        *others, last = self.warnings or [""]
        return one_line("; ".join([*(words.rstrip(".") for words in others), last]))

    def _warned(self) -> str:
        return f" (!{self._warning()})" if self.warnings else ""

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
            **{name: f"{at:%Y-%m-%d %H:%M}" for name, at in dates.items() if at},
            "Version": self.version,
            "Context": self.context_words,
            "Warning": self._warning(),
        }
        return [f"**{name}:** {one_line(value)}" for name, value in facts.items() if value]

    @property
    def context_words(self) -> str:
        """The metadata on one line; values that are not text as JSON."""
        found = (self.wrangler_context or {}).items()
        return ", ".join(
            f"{one_line(key)}={one_line(value) if isinstance(value, str) else written(value)}"
            for key, value in found
        )

    @property
    def is_complete(self) -> bool:
        """True if nothing is left to do."""
        return self.status in COMPLETE


def near_ids(reference: str, ids: list[str]) -> list[str]:
    """Return ids that were probably meant."""
    return nearest(reference, ids, most=3, least=0.8)
