"""What a memo is, and which of its fields belong to which format."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, Field

from laconic.kit import Record


class MemoSettings(BaseModel):
    """The section [example] of the configuration."""

    workspace: Path = Path()
    folder: str = "memos"  # relative to the workspace


class Memo(Record):
    """A short text under a name."""

    key: ClassVar[str] = "name"
    formats: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "minimal": ("title",),
        "summary": ("title", "tags", "updated"),
        "full": ("title", "tags", "updated", "version", "body"),
    }
    body_field: ClassVar[str | None] = "body"

    name: str
    title: str
    tags: list[str] = Field(default_factory=list)
    updated: datetime
    version: str
    body: str = ""
