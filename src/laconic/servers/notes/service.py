"""What can be done with notes and bookmarks; tools, pages and commands all come here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from laconic.kit import Failure, NotFound
from laconic.library.expecting import Expected
from laconic.library.limits import refuse_long_words
from laconic.library.placing import AS_IT_IS, Placing
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
from laconic.servers.notes.models import ContentEdit, ContentSaved, Linked
from laconic.servers.notes.reading import ContentQuery, NotesReading
from laconic.servers.notes.store import BOOKMARK, NOTE
from laconic.stores import By, Draft, Item, ItemEdit, Missing, Taken

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["ContentQuery", "Notes"]


class Notes(NotesReading):
    """Creates, changes and links notes and bookmarks; archives and deletes them."""

    async def create(
        self, draft: Draft, by: By, remarks: Sequence[str] = (), placing: Placing = AS_IT_IS
    ) -> ContentSaved:
        """Keep a new note or bookmark."""
        refuse_long(draft.kind, draft.body)
        refuse_long_words(draft.title, draft.description)

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
        draft = Draft(NOTE, None, title.strip(), description or None, content, tags=tags)
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
            content if content is not None or page is None else page.content or None,
            tags=tags,
        )
        return await self.create(draft, by, remarks, placing)

    async def edit(
        self,
        id: str,
        edits: Sequence[tuple[str, str]],
        by: By,
        *,
        expected: Expected | None = None,
        dry_run: bool = False,
    ) -> ContentEdit:
        """Replace texts in a content, all or none."""
        wanted = expected or Expected()
        if dry_run:
            now = await self._shelf.read(lambda desk: self._editable(desk, id))
            wanted.check(now)
            return edit_of(ItemEdit(now, ()), now.body or "", replacement(now, edits), is_kept=False)
        made: dict[str, Any] = {}

        def change(now: Item) -> Mapping[str, Any]:
            wanted.check(now)  # here, where nobody else can change it any more
            made.update(before=now.body, replaced=replacement(now, edits))
            return {"body": made["replaced"].text}

        def work(desk: Desk) -> ItemEdit:
            self._editable(desk, id)
            return desk.edit(id, change, by)

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
            change.placing.hold(desk, id)
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
