"""What can be done with notes and bookmarks; tools, pages and commands all come here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from laconic.kit import BadArguments, Failure, Guard, NotFound, Page, Window
from laconic.library.expecting import Expected
from laconic.library.finding import places_in
from laconic.library.items import LibraryItems
from laconic.library.lists import page_of
from laconic.library.placing import AS_IT_IS, Placing
from laconic.library.uses import Uses
from laconic.servers.notes.bookmarks import one_form
from laconic.servers.notes.changes import (
    NoteChange,
    edit_of,
    refuse_long,
    refuse_untitled,
    replacement,
    saved,
    url_conflict,
)
from laconic.servers.notes.models import Content, ContentEdit, ContentSaved, ContentTag, Hit, Linked, Type
from laconic.servers.notes.pages import Pages
from laconic.servers.notes.store import BOOKMARK, NOTE, TYPES, content_of, with_lines, with_links
from laconic.stores import By, Draft, Item, ItemEdit, ItemLink, ItemQuery, Missing, Shelf, Taken

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk
    from laconic.stores.shelf.models import State

__all__ = ["ContentQuery", "Notes"]

SortBy = Literal[
    "created_at", "updated_at", "last_used_at", "title", "archived_at", "deleted_at", "relevance"
]


@dataclass(frozen=True)
class ContentQuery:
    """Which notes and bookmarks, and in which order."""

    types: Sequence[Type] = ("note", "bookmark")
    text: str = ""
    tags: Sequence[str] = ()
    any_tag: bool = False
    states: Sequence[State] = ("active",)
    sort: SortBy | None = None
    ascending: bool | None = None  # None: titles from A to Z, the newest first

    def on_shelf(self) -> ItemQuery:
        """Return the query of the shelf."""
        is_ascending = self.sort == "title" if self.ascending is None else self.ascending
        return ItemQuery(
            list(self.types), self.text, self.tags, self.any_tag, self.states, self.sort, is_ascending
        )


class Notes(LibraryItems):
    """Finds, creates, changes and links notes and bookmarks; archives and deletes them."""

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

        def work(desk: Desk) -> tuple[Item, list[ItemLink]]:
            return self._found(desk, id), desk.links(id)

        item, links = await self._shelf.read(work)
        content = with_links(content_of(item), links)
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
        found = places_in(await self.item(id), text, fields, case_sensitive=case_sensitive, context=context)
        numbered = dict(enumerate(Hit(**place._asdict()) for place in found))
        page = window.cut(numbered, key=lambda place: (place,))
        return Page([numbered[place] for place in page.items], page.total, page.next, page.start)

    async def create(
        self, draft: Draft, by: By, remarks: Sequence[str] = (), placing: Placing = AS_IT_IS
    ) -> ContentSaved:
        """Keep a new note or bookmark."""
        refuse_long(draft.kind, draft.body)

        def work(desk: Desk) -> Item:
            item = desk.add(draft, by)
            return desk.get(item.id) if placing.apply(desk, item, by) else item

        try:
            item = await self._shelf.run(work)
        except Taken as taken:
            raise self._conflict(taken) from None
        return saved(item, remarks=remarks)

    async def create_note(
        self,
        title: str,
        by: By,
        *,
        content: str | None = None,
        description: str | None = None,
        tags: Sequence[str] = (),
        placing: Placing = AS_IT_IS,
    ) -> ContentSaved:
        """Keep a new note."""
        refuse_untitled(title)
        draft = Draft(NOTE, None, title.strip(), description or None, content or None, tags=tags)
        return await self.create(draft, by, placing=placing)

    async def create_bookmark(
        self,
        url: str,
        by: By,
        *,
        title: str | None = None,
        description: str | None = None,
        content: str | None = None,
        tags: Sequence[str] = (),
        fetch: bool = False,
        placing: Placing = AS_IT_IS,
    ) -> ContentSaved:
        """Keep a new bookmark; if `fetch`, what is not given comes from the page.

        A page that cannot be read is told, and the bookmark is kept without it.
        """
        address = one_form(url)
        await self._refuse_known(address)
        page, remarks = await self.pages.look(address) if fetch else (None, [])
        draft = Draft(
            BOOKMARK,
            address,
            title or (page.title if page else None) or None,
            description or (page.description if page else None) or None,
            content or (page.content if page else None) or None,
            tags=tags,
        )
        return await self.create(draft, by, remarks, placing)

    async def edit(
        self,
        id: str,
        edits: Sequence[tuple[str, str]],
        by: By,
        *,
        version: int | None = None,
        dry_run: bool = False,
    ) -> ContentEdit:
        """Replace texts in a content, all or none."""

        if dry_run:
            now = await self._shelf.read(lambda desk: self._editable(desk, id))
            Guard(expected=version).check("It", now.version)
            return edit_of(ItemEdit(now, ()), now.body or "", replacement(now, edits), is_kept=False)
        made: dict[str, Any] = {}

        def change(now: Item) -> Mapping[str, Any]:
            made.update(before=now.body, replaced=replacement(now, edits))
            return {"body": made["replaced"].text}

        def work(desk: Desk) -> ItemEdit:
            self._editable(desk, id)
            return desk.edit(id, change, by, version)

        done = await self._shelf.run(work)
        return edit_of(done, made["before"], made["replaced"])

    async def update(
        self, id: str, change: NoteChange, by: By, *, expected: Expected | None = None
    ) -> ContentSaved:
        """Change what is given about an item."""

        def values(now: Item) -> Mapping[str, Any]:
            (expected or Expected()).check(now)  # here, where nobody else can change it any more
            return change.values(now)

        def work(desk: Desk) -> ItemEdit:
            item = self._editable(desk, id)
            done = desk.edit(id, values, by)
            placed = change.placing.apply(desk, item, by)
            return ItemEdit(desk.get(id), (*done.changed, *placed)) if placed else done

        try:
            done = await self._shelf.run(work)
        except Taken as taken:
            raise self._conflict(taken) from None
        return saved(done.item, done.changed, [] if done.changed else ["No changes."])

    async def relate(self, id: str, other: str, by: By, description: str | None = None) -> Linked:
        """Link an item with another one, or with a prompt; a link that exists is left as it is."""

        def work(desk: Desk) -> None:
            self._editable(desk, id)
            desk.link(id, other, by, description or None)

        try:
            await self._shelf.run(work)
        except Taken:
            return Linked(source_id=id, target_id=other, is_new=False)
        return Linked(source_id=id, target_id=other, description=description or None, is_new=True)

    async def tags(self, window: Window) -> Page[ContentTag]:
        """Return the tags of active notes and bookmarks, those of most items first."""
        found = await self._shelf.read(lambda desk: desk.tags(TYPES))
        tags = [ContentTag(name=tag.name, items=tag.items) for tag in found]
        return window.cut(tags, key=lambda tag: (-tag.items, tag.name))

    async def close(self) -> None:
        """Wait for what is still to be noted."""
        await self._uses.close()

    async def _refuse_known(self, address: str) -> None:
        """Refuse an address that is kept already, before its page is fetched."""
        try:
            known = await self._shelf.read(lambda desk: desk.find(BOOKMARK, address, ("active", "archived")))
        except Missing:
            return
        raise url_conflict(Taken("", {"id": known.id, "state": known.state}))

    def _editable(self, desk: Desk, id: str) -> Item:
        found = self._found(desk, id)
        if found.state == "deleted":
            raise NotFound("Item", id, advice="It is in the trash: a person must restore it first.")
        return found

    def _conflict(self, taken: Taken) -> Failure:
        return url_conflict(taken)
