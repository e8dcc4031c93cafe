"""Records of the library as a whole: tags, relationships, history and lists of several kinds."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from laconic.library.records import ItemType
from laconic.stores.shelf.models import Action
from laconic.web.models.items import (
    BookmarkFull,
    BookmarkListed,
    ItemPageOf,
    NoteFull,
    NoteListed,
    PromptFull,
    PromptListed,
)
from laconic.web.models.queries import PageQuery
from laconic.web.models.values import WHOLE, NewLink, TagName, Why, Zoned

__all__ = [
    "AnyFull",
    "ContentPage",
    "HistoryEntry",
    "HistoryPage",
    "HistoryQuery",
    "LinkChange",
    "LinkRecord",
    "LinksOfItem",
    "NewRelationship",
    "TagCounts",
    "TagQuery",
    "TagRename",
    "TagUse",
    "VersionDiff",
    "VersionRecord",
]

AnyFull = Annotated[PromptFull | NoteFull | BookmarkFull, Field(discriminator="type")]


class ContentPage(ItemPageOf):
    """A page of items of several kinds."""

    items: list[Annotated[PromptListed | NoteListed | BookmarkListed, Field(discriminator="type")]]


class TagQuery(BaseModel):
    """Which tags."""

    include_inactive: bool = False
    content_types: list[ItemType] = Field(default_factory=list)


class TagUse(BaseModel):
    """A tag, and how many active items have it; there are no saved filters."""

    name: str
    content_count: int
    filter_count: int = 0


class TagCounts(BaseModel):
    """Tags, those of most items first."""

    tags: list[TagUse]


class TagRename(BaseModel):
    """A new name for a tag, everywhere at once."""

    new_name: TagName


class NewRelationship(NewLink):
    """A relationship between two items, the same from both ends."""

    source_id: UUID
    source_type: ItemType | None = None


class LinkChange(BaseModel):
    """A new description of a relationship."""

    description: Why = None


class LinkRecord(BaseModel):
    """A relationship; its id is made of those of its items."""

    id: str
    source_type: ItemType
    source_id: str
    target_type: ItemType
    target_id: str
    relationship_type: Literal["related"] = "related"
    description: str | None = None


class LinksOfItem(BaseModel):
    """The relationships of one item."""

    items: list[LinkRecord]
    total: int


class HistoryQuery(PageQuery):
    """Which entries of the history."""

    content_type: list[ItemType] = Field(default_factory=list)
    action: list[Action] = Field(default_factory=list)
    source: list[Annotated[str, Field(max_length=20), WHOLE]] = Field(default_factory=list, max_length=20)
    start_date: Zoned | None = None
    end_date: Zoned | None = None


class HistoryEntry(BaseModel):
    """What was done by whom; what changes a content has a version."""

    id: int
    content_type: ItemType
    content_id: str
    action: Action
    version: int | None
    labels: list[str]
    metadata_snapshot: dict[str, Any]
    changed_fields: list[str]
    author: str
    source: str
    auth_type: str | None
    token_prefix: str | None
    created_at: datetime


class HistoryPage(ItemPageOf):
    """A page of the history, the newest first."""

    items: list[HistoryEntry]


class VersionRecord(HistoryEntry):
    """An item as it was."""

    content: str | None


class VersionDiff(BaseModel):
    """What a version changed: the texts before and after, null where the content stayed, and the rest."""

    content_type: ItemType
    content_id: str
    version: int
    before_content: str | None
    after_content: str | None
    before_metadata: dict[str, Any] | None
    after_metadata: dict[str, Any]
    diff: str
