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
