"""Lists: a part of what a query finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel

from laconic.stores import Item, ItemQuery
from laconic.web.models.queries import ListQuery
from laconic.web.operations import Visit, WebReply

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["item_query", "page_of"]


def item_query(kinds: Sequence[str], query: ListQuery) -> ItemQuery:
    """Return the query of the shelf: the best or the newest first, titles from A to Z."""
    is_ascending = query.sort_by == "title" if query.sort_order is None else query.sort_order == "asc"
    return ItemQuery(
        kinds,
        query.q or "",
        query.tags,
        query.tag_match == "any",
        list(dict.fromkeys(query.view)) or ["active"],
        query.sort_by,
        is_ascending,
    )


async def page_of(
    visit: Visit, page: type[BaseModel], wanted: ItemQuery, make: Callable[[Item], BaseModel]
) -> WebReply:
    """Return the part of what a query finds that a request asks for."""
    query: ListQuery = visit.query

    def work(desk: Desk) -> tuple[Sequence[Item], int]:
        found = desk.search(wanted, query.limit, skip=query.offset)
        return found.items, desk.count(wanted) if found.total is None else found.total

    items, total = await visit.opened.shelf.read(work)
    return WebReply(
        page(
            items=[make(item) for item in items],
            total=total,
            offset=query.offset,
            limit=query.limit,
            has_more=query.offset + len(items) < total,
        )
    )
