"""A collection: one kind of item, with what differs between the kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel

from laconic.kit import BadArguments, Failure
from laconic.library.expecting import Expected
from laconic.library.records import ShownLines
from laconic.stores import By, Item, ItemLink, Taken
from laconic.text import line_range
from laconic.web.models.items import FullItem, LinkedItem, ListedItem
from laconic.web.models.queries import LineQuery
from laconic.web.opened import OpenLibrary

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["Collection", "Replacing", "full_item", "listed_item"]


@dataclass(frozen=True)
class Replacing:
    """What a replacement did, and the item that it made, whatever became of it since."""

    id: str
    match_type: str
    line: int
    version: int
    updated_at: datetime


class Collection(Protocol):
    """One kind of item."""

    word: str  # `prompt`
    path: str  # `/api/prompts`
    toolset: str
    has_names: bool
    full: type[FullItem]
    listed: type[ListedItem]
    page: type[BaseModel]
    new: type[BaseModel]
    changed: type[BaseModel]
    replacement: type[BaseModel]

    def find(self, desk: Desk, path: Mapping[str, Any]) -> Item:
        """Return the item that a path names."""

    def own_fields(self, item: Item) -> dict[str, Any]:
        """Return the fields that only this kind has."""

    def conflict(self, item: Item, taken: Taken) -> Failure:
        """Say that another item has the name or the address."""

    async def create(self, opened: OpenLibrary, body: Any, by: By) -> str:
        """Keep a new item, and return its id."""

    async def change(
        self, opened: OpenLibrary, path: Mapping[str, Any], body: Any, by: By, expected: Expected
    ) -> str:
        """Change an item, and return its id."""

    async def replace(
        self, opened: OpenLibrary, path: Mapping[str, Any], body: Any, by: By, expected: Expected
    ) -> Replacing:
        """Replace a text in an item's content."""

    async def revert(self, opened: OpenLibrary, id: str, version: int, by: By, expected: Expected) -> None:
        """Make an item what it was in an earlier version, as a new version."""


def listed_item(collection: Collection, item: Item) -> ListedItem:
    """Return an item as a list has it."""
    return collection.listed(**_common(collection, item), content_preview=item.preview or None)


def full_item(collection: Collection, item: Item, lines: LineQuery | None = None) -> FullItem:
    """Return an item as it is answered alone, perhaps with some lines of its content.

    Raises:
        NoLines: it has no such lines.
        BadArguments: it has no content.
    """
    shown, content = _shown(item, lines or LineQuery())
    more: dict[str, Any] = {"labels": dict(item.labels)} if "labels" in collection.full.model_fields else {}
    return collection.full(
        **_common(collection, item),
        content_preview=None,
        content=content,
        content_metadata=shown,
        relationships=[_linked(link) for link in item.links if link.state != "deleted"],
        **more,
    )


def as_version(item: Item, **fields: Any) -> Item:
    """Return an item as it was in an earlier version."""
    body = fields.get("body") or ""
    return replace(item, length=len(body), start=body, **fields)


def _common(collection: Collection, item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "type": item.kind,
        "title": item.title,
        "description": item.description,
        "tags": list(item.tags),
        "version": item.version,
        "state": item.state,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "last_used_at": item.last_used_at,
        "uses": item.uses,
        "archived_at": item.archived_at,
        "deleted_at": item.deleted_at,
        "content_length": item.length,
        **collection.own_fields(item),
    }


def _linked(link: ItemLink) -> LinkedItem:
    return LinkedItem(
        id=link.id,
        type=link.kind,  # type: ignore[arg-type]  # one of the kinds that there are
        name=link.name,
        title=link.title,
        state=link.state,
        description=link.description,
    )


def _shown(item: Item, lines: LineQuery) -> tuple[ShownLines | None, str | None]:
    is_partial = lines.start_line is not None or lines.end_line is not None
    if item.body is None:
        if is_partial:
            field = "end_line" if lines.start_line is None else "start_line"
            raise BadArguments("This item has no content, so it has no lines.", field=field)
        return None, None
    cut = line_range(item.body, lines.start_line or 1, lines.end_line)
    shown = ShownLines(total_lines=cut.total, start_line=cut.first, end_line=cut.last, is_partial=is_partial)
    return shown, cut.text if is_partial else item.body
