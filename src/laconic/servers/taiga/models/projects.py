"""Projects, and what their items refer to."""

from datetime import datetime

from pydantic import Field

from laconic.kit import Record


class Project(
    Record,
    formats={
        "minimal": ("name",),
        "summary": ("slug", "name", "is_private", "state"),
        "full": (
            *("slug", "name", "is_private", "state", "description", "modules", "role", "is_admin"),
            *("members", "tags", "sprints", "created_date", "modified_date", "instance", "is_active"),
        ),
    },
    bodies=("description",),
    headings=("is_private", "state"),
):
    """A project that the account can see."""

    id: int
    slug: str
    name: str
    is_private: bool = True
    state: str | None = None  # archived or blocked, and why
    description: str | None = None
    modules: list[str] | None = None  # that are switched on
    role: str | None = None  # the account's own
    is_admin: bool | None = None
    members: int | None = None
    tags: list[str] | None = None
    sprints: list[str] | None = None  # those that are open, with their ids
    created_date: datetime | None = None
    modified_date: datetime | None = None
    instance: str | None = None
    is_active: bool | None = None  # the one that calls work on
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> list[str]:
        """Return what a caller should know before it works on the project."""
        return self.remarks


class Status(
    Record,
    formats={"summary": ("of", "name", "is_closed"), "full": ("of", "name", "is_closed", "color", "order")},
    default="summary",
    plural="statuses",
):
    """A status, or a priority, severity or type of issues."""

    id: int
    of: str  # the kind of item, and for issues also what it is
    name: str
    is_closed: bool | None = None
    color: str | None = None
    order: int | None = None


class Member(
    Record,
    formats={
        "summary": ("username", "full_name", "role"),
        "full": ("username", "full_name", "role", "is_admin", "is_owner"),
    },
    default="full",
):
    """A member of a project, by the user's id."""

    id: int
    username: str
    full_name: str
    role: str
    is_admin: bool | None = None
    is_owner: bool | None = None
