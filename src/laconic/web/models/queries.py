"""Queries: what may stand behind the question mark."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from laconic.library.records import ItemType
from laconic.web.models.values import WHOLE, Tags

__all__ = ["ContentQueryParams", "DeleteQuery", "LineQuery", "ListQuery", "PageQuery", "PlaceQuery"]
__all__ += ["ReplaceQuery"]

View = Literal["active", "archived", "deleted"]
SortField = Literal[
    "created_at", "updated_at", "last_used_at", "title", "archived_at", "deleted_at", "relevance"
]


class LineQuery(BaseModel):
    """Which lines of a content, from 1 and including the last one."""

    start_line: Annotated[int, Field(ge=1, le=10**9)] | None = None
    end_line: Annotated[int, Field(ge=1, le=10**9)] | None = None


class ListQuery(BaseModel):
    """Which items, in which order, and which part of them."""

    q: Annotated[str, Field(max_length=1000), WHOLE] | None = None
    tags: Tags = Field(default_factory=list)
    tag_match: Literal["all", "any"] = "all"
    sort_by: SortField | None = None
    sort_order: Literal["asc", "desc"] | None = None
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int, Field(ge=1, le=100)] = 50
    view: list[View] = ["active"]


class ContentQueryParams(ListQuery):
    """The same over several kinds of items."""

    content_types: list[ItemType] = Field(default_factory=list)


class ReplaceQuery(BaseModel):
    """What is answered after a replacement."""

    include_updated_entity: bool = False


class DeleteQuery(BaseModel):
    """Whether an item goes to the trash, or for good."""

    permanent: bool = False


class PlaceQuery(BaseModel):
    """What to find in one item."""

    q: Annotated[str, Field(min_length=1, max_length=1000), WHOLE]
    fields: Annotated[str, Field(description="Of content, title and description, joined by commas.")] = (
        "content"
    )
    case_sensitive: bool = False
    context_lines: Annotated[int, Field(ge=0, le=10)] = 2


class PageQuery(BaseModel):
    """Which part of a list."""

    offset: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int, Field(ge=1, le=100)] = 50
