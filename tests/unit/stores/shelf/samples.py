"""What the tests of the shelf share."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from laconic.stores import By, Draft, Item, ItemLink, ItemPage, ItemQuery, ItemVersion, Shelf

ME = By("ada", "test")
START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """A clock that moves by a second with each look, and as far as it is turned."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time

    def turn(self, **span: float) -> None:
        self.time += timedelta(**span)


async def add(shelf: Shelf, name: str | None, kind: str = "prompt", **fields: Any) -> Item:
    """Add an item."""
    return await shelf.run(lambda desk: desk.add(Draft(kind, name, **fields), ME))


async def edit(shelf: Shelf, item: Item, **fields: Any) -> Item:
    """Change an item."""
    done = await shelf.run(lambda desk: desk.edit(item.id, fields, ME))
    return done.item


def _page(query: ItemQuery, after: Any, desk: Any) -> ItemPage:
    page: ItemPage = desk.search(query, 2, after)
    return page


async def found(shelf: Shelf, text: str = "", **more: Any) -> list[str | None]:
    """Return the names of what is found, page by page of two."""
    query = ItemQuery(**{"kinds": ["prompt"], "text": text} | more)
    names: list[str | None] = []
    after: Any = None
    while True:
        page = await shelf.read(partial(_page, query, after))
        names += [item.name for item in page.items]
        if page.after is None:
            break
        after = page.after
    assert await shelf.read(lambda desk: desk.count(query)) == len(names)
    return names


async def get(shelf: Shelf, id: str) -> Item:
    """Return an item as it is now."""
    return await shelf.read(lambda desk: desk.get(id))


async def version(shelf: Shelf, id: str, number: int) -> ItemVersion:
    """Return a version of an item."""
    return await shelf.read(lambda desk: desk.version(id, number))


async def versions(shelf: Shelf, id: str, count: int = 9, before: int | None = None) -> list[ItemVersion]:
    """Return the newest entries of an item's history."""
    return await shelf.read(lambda desk: desk.versions(id, count, before))


async def links(shelf: Shelf, id: str) -> list[ItemLink]:
    """Return the links of an item."""
    return list((await shelf.read(lambda desk: desk.get(id))).links)


async def link(shelf: Shelf, id: str, other: str) -> None:
    """Link two items."""
    await shelf.run(lambda desk: desk.link(id, other, ME))
