"""Notes and bookmarks on the shelf: kinds of items, and records made from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from laconic.library.records import ShownLines
from laconic.servers.notes.models import Content, Relationship, Type
from laconic.stores import Item, ItemKind, ItemLink
from laconic.text import line_range

__all__ = ["BOOKMARK", "KINDS", "NOTE", "TYPES", "content_of", "with_lines", "with_links"]

NOTE: Final = "note"
BOOKMARK: Final = "bookmark"
TYPES: Final = (NOTE, BOOKMARK)
KINDS: Final = (ItemKind(NOTE), ItemKind(BOOKMARK, name=50))  # the name of a bookmark is its address


def content_of(item: Item) -> Content:
    """Return an item without its content."""
    return Content(
        id=item.id,
        type=cast(Type, item.kind),
        state=None if item.state == "active" else item.state,
        title=item.title,
        url=item.name,
        description=item.description,
        tags=list(item.tags),
        version=item.version,
        created_at=item.created_at,
        updated_at=item.updated_at,
        last_used_at=item.last_used_at,
        archived_at=item.archived_at,
        deleted_at=item.deleted_at,
        content_length=item.length,
        content_preview=item.preview or None,
    )


def with_links(content: Content, links: Sequence[ItemLink]) -> Content:
    """Return an item with what it is linked to, apart from what is in the trash."""
    related = [
        Relationship(id=link.id, type=link.kind, title=link.title or link.name, description=link.description)
        for link in links
        if link.state != "deleted"
    ]
    return content.model_copy(update={"relationships": related})


def with_lines(content: Content, body: str, start: int | None, end: int | None) -> Content:
    """Return an item with its content, or some lines of it, instead of its beginning.

    Raises:
        NoLines: it has no such lines.
    """
    lines = line_range(body, start or 1, end)
    is_partial = start is not None or end is not None
    return content.model_copy(
        update={
            "content": lines.text if is_partial else body,
            "content_preview": None,
            "content_metadata": ShownLines(
                total_lines=lines.total, start_line=lines.first, end_line=lines.last, is_partial=is_partial
            ),
        }
    )
