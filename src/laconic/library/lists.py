"""Lists of the library: a page of what a query finds, and a page of what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from laconic.kit import Page, Window
from laconic.stores import Item, ItemPage, ItemQuery, ItemVersion, Shelf

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["entries_page", "page_of"]

T = TypeVar("T")
_RANKED = "Best first; a change may move them between pages."


async def page_of(shelf: Shelf, query: ItemQuery, window: Window, make: Callable[[Item], T]) -> Page[T]:
    """Return the page of a query that a window shows; its position begins with how many came before."""

    def work(desk: Desk) -> tuple[ItemPage, int, int]:
        if window.position is None:
            start = window.start
            found = desk.search(query, window.count, skip=start)
        else:
            start = window.position[0]
            found = desk.search(query, window.count, window.position[1:])
        return found, desk.count(query) if found.total is None else found.total, start

    found, total, start = await shelf.read(work)
    following = None if found.after is None else (start + len(found.items), *found.after)
    is_ranked = bool(query.text.strip()) and query.sort in (None, "relevance")
    return Page(
        [*map(make, found.items)],
        total=total,
        next=following,
        start=start,
        remark=_RANKED if is_ranked and following else "",
    )


def entries_page(
    entries: Sequence[ItemVersion],
    window: Window,
    make: Callable[[ItemVersion], T],
    total: int | None = None,
) -> Page[T]:
    """Return the page of a history of which one entry more than the window shows was read."""
    shown = entries[: window.count]
    following = (shown[-1].entry,) if len(entries) > len(shown) else None
    return Page([*map(make, shown)], total=total, next=following)
