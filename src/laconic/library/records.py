"""Records of the library: what was saved, with remarks, and which lines of a text are shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import Field

from laconic.kit import Part, Record

__all__ = ["ItemType", "ShownLines", "WrittenItem"]

ItemType = Literal["note", "bookmark", "prompt"]


class ShownLines(Part):
    """Which lines of a text are shown."""

    total_lines: int
    start_line: int
    end_line: int
    is_partial: bool


class WrittenItem(Record):
    """An item after a write, and what the caller should know besides."""

    id: str
    version: int
    updated_at: datetime
    remarks: list[str] = Field(default_factory=list, exclude=True)

    def list_remarks(self) -> Sequence[str]:
        """Return what the caller should know besides."""
        return self.remarks
