"""LibraryItems of the library by id: archive, trash, versions, links and history, whatever kind they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from laconic.kit import Conflict, Diagnosis, Failure, NotFound
from laconic.library.checkups import tables_of
from laconic.stores import By, Item, ItemEdit, ItemLink, ItemVersion, Missing, Shelf, Taken
from laconic.text import Diff, unified_diff

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["LibraryItems"]

T = TypeVar("T")


class LibraryItems:
    """What may be done with every item; those of other kinds are not found.

    Archive and trash change neither an item's content nor its version.
    """

    def __init__(self, shelf: Shelf, kinds: Sequence[str]) -> None:
        self._shelf = shelf
        self._kinds = tuple(kinds)

    async def diagnosis(self) -> Diagnosis:
        """Say how the library is, for `laconic doctor`."""
        return await tables_of(self._shelf)

    async def item(self, id: str) -> Item:
        """Return an item with its body, also an archived one or one in the trash."""
        return await self._shelf.read(lambda desk: self._found(desk, id))

    async def archive(self, id: str, by: By, at: datetime | None = None) -> Item:
        """Archive an item, now or at a time to come."""
        return await self._done(id, lambda desk: desk.archive(id, by, at))

    async def unarchive(self, id: str, by: By) -> Item:
        """Make an archived item active again, or forget when it was to be archived."""
        return await self._done(id, lambda desk: desk.unarchive(id, by))

    async def trash(self, id: str, by: By) -> Item:
        """Put an item into the trash, from which it can be brought back."""
        return await self._done(id, lambda desk: desk.trash(id, by))

    async def untrash(self, id: str, by: By) -> Item:
        """Bring an item back from the trash; it is active then."""
        return await self._done(id, lambda desk: desk.untrash(id, by))

    async def purge(self, id: str) -> None:
        """Delete an item for good, with its history and its links."""
        await self._done(id, lambda desk: desk.purge(id))

    async def versions(self, id: str, count: int, before: int | None = None) -> list[ItemVersion]:
        """Return the newest entries of an item's history, without bodies; `before` one of them, to go on."""
        return await self._read(id, lambda desk: desk.versions(id, count, before))

    async def version(self, id: str, number: int) -> ItemVersion:
        """Return an item as it was in one version, with its body."""
        return await self._read(id, lambda desk: desk.version(id, number))

    async def compare(self, id: str, one: int, other: int) -> Diff:
        """Return what changed in the body from one version to another, whichever is older."""

        def work(desk: Desk) -> tuple[ItemVersion, ItemVersion]:
            return desk.version(id, one), desk.version(id, other)

        before, after = await self._read(id, work)
        return unified_diff(before.body or "", after.body or "")

    async def revert(self, id: str, number: int, by: By) -> ItemEdit:
        """Make an item what it was in an earlier version; that is a new version."""
        return await self._done(
            id, lambda desk: desk.revert(id, number, by), lambda desk: desk.hold_version(id, number)
        )

    async def links(self, id: str) -> list[ItemLink]:
        """Return the items that an item is linked with, the oldest link first."""
        return list((await self.item(id)).links)

    async def unlink(self, id: str, other: str, by: By) -> None:
        """Remove the link between two items."""
        await self._done(id, lambda desk: desk.unlink(id, other, by), lambda desk: desk.hold([id, other]))

    async def set_links(self, id: str, wanted: Mapping[str, str | None], by: By) -> bool:
        """Give an item exactly these links, with their descriptions; False if it has them."""
        return await self._done(
            id, lambda desk: desk.set_links(id, wanted, by), lambda desk: desk.hold_linked(id, wanted)
        )

    async def history(self, count: int, before: int | None = None, **which: Any) -> list[ItemVersion]:
        """Return the newest entries of the history of all items, without bodies; `which` as for the shelf."""
        return await self._shelf.read(lambda desk: desk.history(self._kinds, count, before, **which))

    async def revision(self) -> int:
        """Return a number that every change of an item increases; uses do not."""
        newest = await self.history(1)
        return newest[0].entry if newest else 0

    def _found(self, desk: Desk, id: str) -> Item:
        """Return an item of our kinds.

        Raises:
            NotFound: there is none of that id.
        """
        try:
            found = desk.get(id)
        except Missing:
            raise NotFound("Item", id) from None
        if found.kind not in self._kinds:
            raise NotFound("Item", id, advice=f"It is a {found.kind}.")
        return found

    async def _read(self, id: str, work: Callable[[Desk], T]) -> T:
        def checked(desk: Desk) -> T:
            self._found(desk, id)
            return work(desk)

        return await self._shelf.read(checked)

    async def _done(
        self, id: str, work: Callable[[Desk], T], hold: Callable[[Desk], None] | None = None
    ) -> T:
        """Do work on an item that nobody else changes meanwhile, not even after it was looked at."""

        def checked(desk: Desk) -> T:
            with suppress(Missing):  # who looks for it says so
                desk.hold([id]) if hold is None else hold(desk)
            self._found(desk, id)
            return work(desk)

        try:
            return await self._shelf.run(checked)
        except Taken as taken:
            raise self._conflict(taken) from None

    def _conflict(self, taken: Taken) -> Failure:
        """Say that another item has the name; a kind of its own may say it in its own words."""
        return Conflict(str(taken), details={"existing": dict(taken.existing or {})})
