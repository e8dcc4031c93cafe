"""Items as they are answered: in lists without their contents, alone with it and with what they relate to."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from laconic.library.records import ItemType, ShownLines
from laconic.servers.prompts.models import Argument

__all__ = [
    "BookmarkFull",
    "BookmarkListed",
    "ItemPageOf",
    "LinkedItem",
    "NoteFull",
    "NoteListed",
    "PromptFull",
    "PromptListed",
]


class LinkedItem(BaseModel):
    """Another item that an item relates to."""

    id: str
    type: ItemType
    name: str | None = None
    title: str | None = None
    state: str = "active"
    relationship_type: Literal["related"] = "related"
    description: str | None = None


class ListedItem(BaseModel):
    """What every item has in a list."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: str
    type: ItemType
    title: str | None
    description: str | None
    tags: list[str]
    version: int
    state: Literal["active", "archived", "deleted"]
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime
    uses: int
    archived_at: datetime | None
    deleted_at: datetime | None
    content_length: int
    content_preview: str | None


class FullItem(ListedItem):
    """What every item has alone."""

    content: str | None
    content_metadata: ShownLines | None
    relationships: list[LinkedItem] = Field(default_factory=list)


class PromptListed(ListedItem):
    """A prompt without its template."""

    type: Literal["prompt"] = "prompt"
    name: str
    arguments: list[Argument]


class NoteListed(ListedItem):
    """A note without its content."""

    type: Literal["note"] = "note"


class BookmarkListed(ListedItem):
    """A bookmark without its content."""

    type: Literal["bookmark"] = "bookmark"
    url: str


class PromptFull(PromptListed, FullItem):
    """A prompt with its template, and the labels of its versions."""

    labels: dict[str, int] = Field(default_factory=dict)


class NoteFull(NoteListed, FullItem):
    """A note with its content."""


class BookmarkFull(BookmarkListed, FullItem):
    """A bookmark with the text of its page."""


class ItemPageOf(BaseModel):
    """What every page of a list has besides its items."""

    total: int
    offset: int
    limit: int
    has_more: bool
