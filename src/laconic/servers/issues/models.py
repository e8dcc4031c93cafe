"""What an issue is, which fields belong to which format, and the words its seed prescribes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Literal

from pydantic import Field

from laconic.kit import Record
from laconic.text import nearest

IssueType = Literal["issue", "specification", "idea"]
Status = Literal["open", "in_progress", "closed", "cancelled"]
Priority = Literal["low", "medium", "high", "critical"]

PREFIXES: Mapping[str, str] = {"issue": "ISS", "specification": "SPEC", "idea": "IDEA"}
COMPLETE = frozenset({"closed", "cancelled"})  # these count as done, and lie in the archive
PRIORITIES = ("low", "medium", "high", "critical")
KEY_ORDER = (
    *("id", "title", "type", "status", "priority", "labels", "createdAt", "updatedAt", "closedAt"),
    *("assignee", "project", "blockedBy", "wranglerContext"),
)
"""The order of keys in a file's header."""


class Issue(Record):
    """An issue, a specification or an idea: one markdown file."""

    formats: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "minimal": ("title", "status"),
        "summary": (
            *("title", "type", "status", "priority", "labels", "assignee", "project"),
            *("created_at", "updated_at"),
        ),
        "full": (
            *("title", "type", "status", "priority", "labels", "assignee", "project", "blocked_by"),
            *("created_at", "updated_at", "closed_at", "wrangler_context", "description"),
        ),
    }
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {"dates": ("created_at", "updated_at", "closed_at")}
    default: ClassVar[str | None] = "summary"
    body_field: ClassVar[str | None] = "description"

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
    path: str = ""  # from the workspace

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.status in COMPLETE


def near_ids(reference: str, ids: list[str]) -> list[str]:
    """Ids that were probably meant."""
    return nearest(reference, ids, most=3, least=0.8)
