"""Queries: which items of the library, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from laconic.stores import ItemQuery

if TYPE_CHECKING:
    from laconic.stores.shelf.models import State

__all__ = ["LibraryQuery", "SortBy"]

SortBy = Literal[
    "created_at", "updated_at", "last_used_at", "title", "archived_at", "deleted_at", "relevance"
]


@dataclass(frozen=True)
class LibraryQuery:
    """What a caller looks for; each server says among which kinds of items."""

    text: str = ""
    tags: Sequence[str] = ()
    any_tag: bool = False
    sort: SortBy | None = None
    ascending: bool | None = None  # None: titles from A to Z, the newest first
    states: Sequence[State] = ("active",)

    def among(self, kinds: Sequence[str]) -> ItemQuery:
        """Return the query of the shelf."""
        is_ascending = self.sort == "title" if self.ascending is None else self.ascending
        return ItemQuery(
            list(kinds), self.text, self.tags, self.any_tag, self.states, self.sort, is_ascending
        )
