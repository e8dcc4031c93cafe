"""Shelving: prompts are archived, now or later, thrown away, and brought back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from laconic.kit import Changes
from laconic.servers.prompts.models import Prompt
from laconic.servers.prompts.service.failing import name_taken
from laconic.servers.prompts.service.records import listed
from laconic.servers.prompts.store import Which, find, find_newest
from laconic.stores import By, Item, Shelf, Taken

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["Shelving"]


class Shelving:
    """Puts prompts away and brings them back; none of it is a version."""

    def __init__(self, shelf: Shelf, changes: Changes) -> None:
        self._shelf = shelf
        self._changes = changes

    async def archive(self, which: Which, by: By, at: datetime | None = None) -> Prompt:
        """Archive a prompt now, or at a time to come; it keeps its name."""
        return await self._moved(lambda desk: desk.archive(find_newest(desk, which).item.id, by, at))

    async def unarchive(self, which: Which, by: By) -> Prompt:
        """Make an archived prompt active again, or forget when it was to be archived."""
        return await self._moved(lambda desk: desk.unarchive(find_newest(desk, which).item.id, by))

    async def trash(self, which: Which, by: By) -> Prompt:
        """Put a prompt into the trash: its name is free again."""
        return await self._moved(lambda desk: desk.trash(find_newest(desk, which).item.id, by))

    async def untrash(self, which: Which, by: By) -> Prompt:
        """Bring a prompt back from the trash.

        Raises:
            Conflict: another prompt has its name now.
        """
        entry = await self._shelf.read(lambda desk: find(desk, which))
        try:
            return await self._moved(lambda desk: desk.untrash(entry.item.id, by))
        except Taken as taken:
            raise name_taken(entry.name, taken) from None

    async def purge(self, which: Which) -> None:
        """Delete a prompt for good, with its history."""
        await self._shelf.run(lambda desk: desk.purge(find(desk, which).item.id))
        await self._changes.tell("prompts")

    async def _moved(self, work: Callable[[Desk], Item]) -> Prompt:
        item = await self._shelf.run(work)
        await self._changes.tell("prompts")
        return listed(item)
