"""What a note and a bookmark are, and which of their fields belong to which format."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from laconic.kit import Part, Record
from laconic.library.records import ShownLines, WrittenItem

__all__ = ["Content", "ContentEdit", "ContentSaved", "ContentTag", "Hit", "Linked", "Relationship", "Type"]

Type = Literal["note", "bookmark"]


class Relationship(Part):
    """Another item that an item is linked with."""

    id: str
    type: str
    title: str | None = None
    description: str | None = None


class Content(
    Record,
    formats={
        "minimal": ("type", "title"),
        "summary": ("type", "title", "url", "description", "tags"),
        "metadata": (
            *("type", "state", "title", "url", "description", "tags", "relationships", "version"),
            *("created_at", "updated_at", "last_used_at", "content_length", "content_preview"),
        ),
        "full": (
            *("type", "state", "title", "url", "description", "tags", "relationships", "version"),
            *("updated_at", "content_length", "content_preview", "content_metadata", "content"),
        ),
    },
    bodies=("content",),
    noun="item",
):
    """A note or a bookmark."""

    id: str
    type: Type
    state: str | None = None  # None: active
    title: str | None = None
    url: str | None = None
    description: str | None = None
    content: str | None = None
    tags: list[str] = Field(default_factory=list)
    relationships: list[Relationship] = Field(default_factory=list)
    version: int
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime
    archived_at: datetime | None = None
    deleted_at: datetime | None = None
    content_length: int = 0
    content_preview: str | None = None
    content_metadata: ShownLines | None = None


class Hit(Record, key="line", formats={"minimal": ("field", "context")}, noun="place"):
    """A place in an item where the words were found."""

    line: int | None  # of the content, from 1; None: in another field
    field: str
    context: str


class ContentSaved(WrittenItem, formats={"minimal": ("version", "changed")}, noun="item"):
    """What was saved of an item."""

    changed: list[str] | None = None


class ContentEdit(
    WrittenItem,
    formats={"minimal": ("version", "match_type", "line", "diff")},
    bodies=("diff",),
    noun="edit",
):
    """What an edit changed, or would change."""

    match_type: str
    line: int
    diff: str = ""


class Linked(Record, key="source_id", formats={"minimal": ("target_id", "is_new")}, noun="relationship"):
    """A relationship, the same from both ends."""

    source_id: str
    target_id: str
    description: str | None = None
    is_new: bool


class ContentTag(Record, key="name", formats={"minimal": ("items",)}, noun="tag"):
    """A tag, and how many notes and bookmarks have it."""

    name: str
    items: int
