"""Replies: what is answered besides items."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from laconic.web.models.items import BookmarkFull, NoteFull, PromptFull

__all__ = [
    "ChangedItem",
    "FoundPlace",
    "FoundPlaces",
    "FullReplaced",
    "MinimalReplaced",
    "RenderedPrompt",
]


class ChangedItem(BaseModel):
    """What is told of an item after a small change."""

    id: str
    updated_at: datetime


class MinimalReplaced(BaseModel):
    """What a replacement did."""

    response_type: Literal["minimal"] = "minimal"
    match_type: str
    line: int
    data: ChangedItem


class FullReplaced(BaseModel):
    """What a replacement did, with the item as it is then."""

    response_type: Literal["full"] = "full"
    match_type: str
    line: int
    data: PromptFull | NoteFull | BookmarkFull


class FoundPlace(BaseModel):
    """A place of an item that holds the text; only the content has lines."""

    field: str
    line: int | None
    context: str


class FoundPlaces(BaseModel):
    """The places of an item that hold the text: the first of them, and how many there are."""

    matches: list[FoundPlace]
    total_matches: int


class RenderedPrompt(BaseModel):
    """A template, filled in."""

    rendered_content: str
