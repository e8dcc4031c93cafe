"""Work items: epics, user stories, tasks, issues."""

from datetime import datetime
from typing import Final

from pydantic import Field

from laconic.kit import Record

_LINE: Final = ("ref", "subject", "status", "assigned_to")
_WHOLE: Final = (
    *("ref", "subject", "status_id", "status", "is_closed", "assigned_to_id", "assigned_to", "tags"),
    *("is_blocked", "blocked_reason", "version"),
)
_END: Final = ("project_id", "created_by", "created_date", "modified_date", "description")


class WorkItem(Record, bodies=("description",), headings=("status", "assigned_to")):
    """What all work items have."""

    id: int
    ref: int  # the number that people use
    subject: str
    status_id: int | None = None
    status: str | None = None
    is_closed: bool = False
    assigned_to_id: int | None = None
    assigned_to: str | None = None
    tags: list[str] = Field(default_factory=list)
    is_blocked: bool = False
    blocked_reason: str | None = None
    version: int = 0
    project_id: int = 0
    created_by: str | None = None
    created_date: datetime | None = None
    modified_date: datetime | None = None
    description: str | None = None  # not in lists
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> list[str]:
        """Return what happened besides what was asked for."""
        return self.remarks


class Epic(
    WorkItem,
    formats={
        "minimal": ("ref", "subject"),
        "summary": _LINE,
        "full": (*_WHOLE, "priority", "color", "stories", "progress", *_END),
    },
):
    """An epic."""

    priority: str | None = None
    color: str | None = None
    stories: int | None = None
    progress: float | None = None  # how many of them are done, counting parts


class Story(
    WorkItem,
    noun="user story",
    plural="user stories",
    formats={
        "minimal": ("ref", "subject"),
        "summary": _LINE,
        "full": (
            *(*_WHOLE, "priority", "epic_id", "epic_ids", "sprint_id", "sprint", "total_points", "due_date"),
            *_END,
        ),
    },
):
    """A user story."""

    priority: str | None = None
    epic_id: int | None = None  # the first of them
    epic_ids: list[int] = Field(default_factory=list)
    sprint_id: int | None = None
    sprint: str | None = None
    total_points: float | None = None
    due_date: str | None = None


class Task(
    WorkItem,
    formats={
        "minimal": ("ref", "subject"),
        "summary": (*_LINE, "user_story_id"),
        "full": (*_WHOLE, "priority", "user_story_id", "user_story", "sprint_id", "due_date", *_END),
    },
    headings=("user_story_id", "status", "assigned_to"),
):
    """A task of a user story, or by itself."""

    priority: str | None = None
    user_story_id: int | None = None
    user_story: str | None = None
    sprint_id: int | None = None
    due_date: str | None = None


class Issue(
    WorkItem,
    formats={
        "minimal": ("ref", "subject"),
        "summary": (*_LINE, "priority_name", "type"),
        "full": (
            *(*_WHOLE, "priority", "priority_id", "priority_name", "severity_id", "severity"),
            *("type_id", "type", "sprint_id", "due_date", *_END),
        ),
    },
    headings=("type", "priority_name", "status", "assigned_to"),
):
    """An issue."""

    priority: str | None = None  # one of five levels; the project has its own names
    priority_id: int | None = None
    priority_name: str | None = None
    severity_id: int | None = None
    severity: str | None = None
    type_id: int | None = None
    type: str | None = None
    sprint_id: int | None = None
    due_date: str | None = None


class Deleted(Record):
    """Something that was deleted."""

    id: int
    deleted: bool = True
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> list[str]:
        """Return what was deleted with it."""
        return self.remarks
