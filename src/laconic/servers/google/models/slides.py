"""Slides as a list shows them."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from pydantic import Field, PrivateAttr

from laconic.kit import Record


class SlideOutline(
    Record,
    key="slide",
    noun="slide",
    formats={"full": ("id", "title", "layout", "objects", "notes", "notes_id", "skipped")},
):
    """A slide: its number, object id and title, and what is on it."""

    slide: int
    id: str
    title: str
    layout: str = ""
    objects: list[dict[str, Any]] = Field(default_factory=list)
    notes: str | None = None
    skipped: bool | None = None
    notes_id: str | None = None
    words: str = Field(default="", exclude=True)  # its outline
    _whole: str = PrivateAttr(default="")  # all about it

    def in_full(self, words: str) -> "SlideOutline":
        """Let it say all about itself; each line begins with words of ours."""
        self._whole = words
        return self

    def write_text(self, format: str | None) -> str | None:
        """Return all about it."""
        return self._whole or None

    def write_row(self, format: str | None, day: Callable[[date], str]) -> Mapping[str, str] | None:
        """Return its number, and its outline in several lines; nothing if all about it is wanted."""
        if self._whole:
            return None
        lines = self.words.splitlines()
        return {"slide": str(self.slide), "words": "\n| ".join(lines)}  # others' words never begin a line
