"""Notes and bookmarks as collections, on one service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from laconic.kit import Failure, NotFound
from laconic.library.expecting import Expected
from laconic.servers.notes.changes import NoteChange, url_conflict
from laconic.stores import By, Item, Missing, Taken
from laconic.web.collections.collection import Replacing
from laconic.web.collections.putting_away import ExpectedItems
from laconic.web.models.bodies import BookmarkChange, NewBookmark, NewNote, NoteChangeBody, TextReplacement
from laconic.web.models.items import (
    BookmarkFull,
    BookmarkListed,
    FullItem,
    ItemPageOf,
    ListedItem,
    NoteFull,
    NoteListed,
)
from laconic.web.opened import OpenLibrary
from laconic.web.replacing import RefusedEdit

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["BookmarkItems", "BookmarksPage", "NoteItems", "NotesPage"]


class NotesPage(ItemPageOf):
    """A page of notes."""

    items: list[NoteListed]


class BookmarksPage(ItemPageOf):
    """A page of bookmarks."""

    items: list[BookmarkListed]


class NoteItems:
    """The notes of the library."""

    word, path, toolset = "note", "/api/notes", "notes"
    has_names = False
    full: type[FullItem] = NoteFull
    listed: type[ListedItem] = NoteListed
    page: type[BaseModel] = NotesPage
    new: type[BaseModel] = NewNote
    changed: type[BaseModel] = NoteChangeBody
    replacement: type[BaseModel] = TextReplacement

    def find(self, desk: Desk, path: Mapping[str, Any]) -> Item:
        """Return an item of this kind, in any state."""
        id = str(path["id"])
        try:
            item = desk.get(id)
        except Missing:
            raise NotFound(self.word.capitalize(), id) from None
        if item.kind != self.word:
            raise NotFound(self.word.capitalize(), id, advice=f"It is a {item.kind}.")
        return item

    def own_fields(self, item: Item) -> dict[str, Any]:
        """Return nothing: a note has what all have."""
        return {}

    def conflict(self, item: Item, taken: Taken) -> Failure:
        """Say that another bookmark has the address; notes have none."""
        return url_conflict(taken)

    async def create(self, opened: OpenLibrary, body: Any, by: By) -> str:
        """Keep a new note."""
        more = {"content": body.content, "description": body.description, "tags": body.tags or ()}
        saved = await (await opened.notes()).create_note(body.title, by, placing=body.placing, **more)
        return saved.id

    async def change(
        self, opened: OpenLibrary, path: Mapping[str, Any], body: Any, by: By, expected: Expected
    ) -> str:
        """Change an item of this kind."""
        await self._check(opened, path)
        fields = body.given(*self._changeable)
        wanted = NoteChange(**fields, tags=body.tags, placing=body.placing)
        return (await (await opened.notes()).update(str(path["id"]), wanted, by, expected=expected)).id

    _changeable: tuple[str, ...] = ("title", "description", "content")

    async def replace(
        self, opened: OpenLibrary, path: Mapping[str, Any], body: Any, by: By, expected: Expected
    ) -> Replacing:
        """Replace a text in a content."""
        item = await self._check(opened, path)
        if item.body is None:
            raise RefusedEdit.of_empty()
        edits = [(body.old_str, body.new_str)]
        done = await (await opened.notes()).edit(item.id, edits, by, expected=expected)
        return Replacing(done.id, done.match_type, done.line, done.version, done.updated_at)

    async def revert(self, opened: OpenLibrary, id: str, version: int, by: By, expected: Expected) -> None:
        """Make an item what it was."""
        await ExpectedItems(opened.shelf, self, expected).revert(id, version, by)

    async def _check(self, opened: OpenLibrary, path: Mapping[str, Any]) -> Item:
        """Refuse an item of another kind, which the service would change too, and one in the trash."""
        item = await opened.shelf.read(lambda desk: self.find(desk, path))
        if item.state == "deleted":
            raise NotFound(self.word.capitalize(), item.id, advice="It is in the trash: restore it first.")
        return item


class BookmarkItems(NoteItems):
    """The bookmarks of the library."""

    word, path = "bookmark", "/api/bookmarks"
    full: type[FullItem] = BookmarkFull
    listed: type[ListedItem] = BookmarkListed
    page: type[BaseModel] = BookmarksPage
    new: type[BaseModel] = NewBookmark
    changed: type[BaseModel] = BookmarkChange
    _changeable = ("title", "description", "content", "url")

    def own_fields(self, item: Item) -> dict[str, Any]:
        """Return the address."""
        return {"url": item.name}

    async def create(self, opened: OpenLibrary, body: Any, by: By) -> str:
        """Keep a new bookmark; its page is not read."""
        more = {"content": body.content, "description": body.description, "tags": body.tags or ()}
        notes = await opened.notes()
        saved = await notes.create_bookmark(body.url, by, title=body.title, placing=body.placing, **more)
        return saved.id
