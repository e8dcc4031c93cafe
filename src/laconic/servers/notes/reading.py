"""Reading notes and bookmarks: found, read whole or by lines, searched, and their tags counted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from laconic.kit import BadArguments, Page, Window
from laconic.library.finding import first_places, places_in
from laconic.library.items import LibraryItems
from laconic.library.lists import page_of
from laconic.library.queries import LibraryQuery
from laconic.library.uses import Uses
from laconic.servers.notes.models import Content, ContentTag, Hit, Type
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.store import TYPES, content_of, with_lines, with_links
from laconic.stores import ItemQuery, Shelf

__all__ = ["ContentQuery", "NotesReading"]


@dataclass(frozen=True)
class ContentQuery(LibraryQuery):
    """Which notes and bookmarks, and in which order."""

    types: Sequence[Type] = ("note", "bookmark")

    def on_shelf(self) -> ItemQuery:
        """Return the query of the shelf."""
        return self.among(self.types)


class NotesReading(LibraryItems):
    """Finds and reads notes and bookmarks."""

    def __init__(self, shelf: Shelf, pages: Pages) -> None:
        super().__init__(shelf, TYPES)
        self.pages = pages
        self._uses = Uses(shelf)

    async def find(self, window: Window, query: ContentQuery) -> Page[Content]:
        """Return a page of notes and bookmarks, without their contents."""
        return await page_of(self._shelf, query.on_shelf(), window, content_of)

    async def get(
        self, id: str, start: int | None = None, end: int | None = None, *, with_content: bool = True
    ) -> Content:
        """Return an item with its content or some lines of it, and note that it was used."""

        item = await self.item(id)
        content = with_links(content_of(item), item.links)
        is_part = start is not None or end is not None
        if is_part and (not with_content or item.body is None):
            why = "This item has no content." if with_content else "Lines need include_content."
            raise BadArguments(why, field="start_line" if start is not None else "end_line")
        if item.state != "deleted":
            self._uses.note(id)
        if not with_content or item.body is None:
            return content
        return with_lines(content, item.body, start, end)

    async def search_in(
        self,
        id: str,
        window: Window,
        text: str,
        *,
        fields: Sequence[str] = ("content",),
        case_sensitive: bool = False,
        context: int = 2,
    ) -> Page[Hit]:
        """Return the places of an item that hold a text as it is written, the content's with its lines."""
        found = await asyncio.to_thread(
            places_in, await self.item(id), text, fields, case_sensitive=case_sensitive, context=context
        )
        page = window.cut_sorted(range(len(found)), key=lambda place: (place,))
        shown = first_places([found[place] for place in page.items])
        following = page.next if len(shown) == len(page.items) else (page.items[len(shown) - 1],)
        return Page([Hit(**place._asdict()) for place in shown], page.total, following, page.start)

    async def tags(self, window: Window) -> Page[ContentTag]:
        """Return the tags of active notes and bookmarks, those of most items first."""
        found = await self._shelf.read(lambda desk: desk.tags(TYPES))
        tags = [ContentTag(name=tag.name, items=tag.items) for tag in found]
        return window.cut(tags, key=lambda tag: (-tag.items, tag.name))

    async def close(self) -> None:
        """Wait for what is still to be noted."""
        await self._uses.close()
