"""Files of Drive, who can see them, and what people say about them."""

from datetime import datetime

from pydantic import Field

from laconic.kit import Record


class DriveFile(
    Record,
    formats={
        "minimal": ("name",),
        "summary": ("name", "type", "modified", "size"),
        "full": (
            *("name", "type", "modified", "size", "created", "owner", "folder", "drive", "shared", "starred"),
            *("trashed", "points_to", "link", "version", "description"),
        ),
    },
    default="summary",
    headings=("type",),
    noun="file",
):
    """A file or folder."""

    id: str
    name: str
    type: str  # document, spreadsheet, folder, or its media type
    modified: datetime | None = None
    size: int | None = None  # bytes; Google files have none
    created: datetime | None = None
    owner: str | None = None
    folder: str | None = None  # the id of the folder that it is in
    drive: str | None = None  # the id of its shared drive
    shared: bool | None = None
    starred: bool | None = None
    trashed: bool | None = None
    points_to: str | None = None  # of a shortcut
    link: str | None = None
    version: str | None = None
    description: str | None = None
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> list[str]:
        """Return what a caller should know besides."""
        return self.remarks


class FilePermission(Record, noun="permission", formats={"full": ("who", "may", "until", "through")}):
    """Who may do what with a file, in words."""

    id: str
    who: str
    may: str
    until: str | None = None
    through: str | None = None  # where it comes from, if not from the file itself


class FileComment(
    Record, noun="comment", formats={"full": ("by", "at", "about", "text", "resolved", "replies")}
):
    """A comment on a file, with its replies."""

    id: str
    by: str | None = None
    at: datetime | None = None
    about: str | None = None  # the text that it is about
    text: str = ""
    resolved: bool | None = None
    replies: list[str] | None = None


class FileDone(Record, key="id", noun="file"):
    """What was done with a file."""

    id: str
    done: str
