"""What goes on around work items: comments, changes, sprints, and everything that waits for one person."""

from datetime import date

from pydantic import Field

from laconic.kit import Record
from laconic.servers.taiga.models.items import Epic, Issue, Story, Task, WorkItem


class Comment(Record, key="at", formats={"full": ("at", "by", "text", "edited_at")}):
    """A comment on an item."""

    at: str  # to the minute
    by: str | None
    text: str
    edited_at: str | None = None


class Commented(Record, noun="item"):
    """An item that was commented on."""

    id: int
    ref: int
    subject: str


class HistoryEntry(Record, key="at", noun="change", formats={"full": ("at", "by", "changes", "comment")}):
    """Something that happened to an item."""

    at: str  # to the minute
    by: str | None
    changes: str | None = None
    comment: str | None = None


class Sprint(
    Record,
    formats={
        "minimal": ("name",),
        "summary": ("name", "start", "finish", "is_closed"),
        "full": ("name", "start", "finish", "is_closed", "stories", "points", "closed_points"),
    },
    default="full",
    headings=("is_closed",),
):
    """A sprint."""

    id: int
    name: str
    start: date
    finish: date
    is_closed: bool = False
    stories: int | None = None
    points: float | None = None
    closed_points: float | None = None


class SprintProgress(Record, noun="sprint"):
    """How far a sprint is."""

    id: int
    name: str
    start: date
    finish: date
    stories: int
    stories_done: int
    tasks: int
    tasks_done: int
    points: float
    points_done: float


class AnyItem(
    WorkItem,
    noun="item",
    formats={
        "minimal": ("kind", "ref", "subject"),
        "summary": ("kind", "ref", "subject", "status", "project", "due_date", "is_blocked"),
        "full": tuple(
            dict.fromkeys(
                name
                for name in (
                    "kind",
                    *(name for one in (WorkItem, Epic, Story, Task, Issue) for name in one.model_fields),
                )
                if name not in ("id", "remarks")
            )
        ),
    },
    default="summary",
    headings=("project", "is_blocked"),
    choices=("ref", "subject", "status", "assigned_to", "project", "due_date", "description"),
):
    """An item of any kind."""

    kind: str
    project: str | None = None
    priority: str | None = None
    color: str | None = None
    stories: int | None = None
    progress: float | None = None
    epic_id: int | None = None
    epic_ids: list[int] | None = None
    sprint_id: int | None = None
    sprint: str | None = None
    total_points: float | None = None
    due_date: str | None = None
    user_story_id: int | None = None
    user_story: str | None = None
    priority_id: int | None = None
    priority_name: str | None = None
    severity_id: int | None = None
    severity: str | None = None
    type_id: int | None = None
    type: str | None = None


class Watching(Record, noun="item"):
    """Who watches an item."""

    id: int
    is_watched: bool  # by this account
    watchers: list[str]


class EpicLink(Record, noun="link"):
    """That a story belongs to an epic, or no longer does."""

    epic_id: int
    user_story_id: int
    is_linked: bool
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> list[str]:
        """Return whether it was so already."""
        return self.remarks
