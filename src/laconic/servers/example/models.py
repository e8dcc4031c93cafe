"""What a memo is, and which of its fields belong to which format."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from laconic.kit import InWorkspace, Record


class MemoSettings(BaseModel):
    """The section [example] of the configuration."""

    workspace: Path = Path()
    folder: Annotated[str, InWorkspace()] = "memos"


class Memo(
    Record,
    key="name",
    formats={
        "minimal": ("title",),
        "summary": ("title", "tags", "updated"),
        "full": ("title", "tags", "updated", "version", "body"),
    },
    bodies=("body",),
):
    """A short text under a name."""

    name: str
    title: str
    tags: list[str] = Field(default_factory=list)
    updated: datetime
    version: str
    body: str = ""
