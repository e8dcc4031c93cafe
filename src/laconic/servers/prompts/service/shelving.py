"""Shelving: prompts are archived, now or later, thrown away, and brought back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from laconic.kit import Changes
from laconic.servers.prompts.models import Prompt
from laconic.servers.prompts.service.failing import name_taken
from laconic.servers.prompts.service.records import listed
from laconic.servers.prompts.store import PROMPT, Which, find, find_newest, refuse_circle, used_by
from laconic.stores import By, Item, ItemQuery, Shelf, Taken

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk
    from laconic.stores.shelf.models import State

__all__ = ["Shelving"]

_STATES: Final[tuple[State, ...]] = ("active", "archived", "deleted")
_AT_ONCE: Final = 200  # prompts of a page


class Shelving:
    """Puts prompts away and brings them back; none of it is a version."""

    def __init__(self, shelf: Shelf, changes: Changes) -> None:
        self._shelf = shelf
        self._changes = changes

    async def archive(self, which: Which, by: By, at: datetime | None = None) -> Prompt:
        """Archive a prompt now, or at a time to come; it keeps its name."""
        return await self._put_away(which, lambda desk, id: desk.archive(id, by, at))

    async def unarchive(self, which: Which, by: By) -> Prompt:
        """Make an archived prompt active again, or forget when it was to be archived."""
        return await self._moved(lambda desk: desk.unarchive(find_newest(desk, which).item.id, by))

    async def trash(self, which: Which, by: By) -> Prompt:
        """Put a prompt into the trash: its name is free again."""
        return await self._put_away(which, lambda desk, id: desk.trash(id, by))

    async def untrash(self, which: Which, by: By) -> Prompt:
        """Bring a prompt back from the trash.

        Raises:
            Conflict: another prompt has its name now.
            BadArguments: prompts would include each other in a circle.
        """
        entry = await self._shelf.read(lambda desk: find(desk, which))

        def work(desk: Desk) -> Item:
            refuse_circle(desk, entry.name, entry.includes)
            return desk.untrash(entry.item.id, by)

        try:
            return await self._moved(work)
        except Taken as taken:
            raise name_taken(entry.name, taken, "Rename that one or put it away first.") from None

    async def purge(self, which: Which) -> None:
        """Delete a prompt for good, with its history."""
        await self._shelf.run(lambda desk: desk.purge(find(desk, which).item.id))
        await self._changes.tell("prompts")

    async def named(self, name: str) -> list[Prompt]:
        """Return the prompts of a name: the one that has it, then those in the trash, the last one first."""
        query = ItemQuery([PROMPT], f'"{name}"', states=_STATES, sort="deleted_at")

        def work(desk: Desk) -> list[Item]:
            found, after = list[Item](), None
            while True:
                page = desk.search(query, _AT_ONCE, after)
                found += [item for item in page.items if item.name == name]
                if page.after is None:
                    return found
                after = page.after

        found = await self._shelf.read(work)
        return [listed(item) for item in sorted(found, key=lambda item: item.deleted_at is not None)]

    async def _put_away(self, which: Which, work: Callable[[Desk, str], Item]) -> Prompt:
        """Put a prompt away, and say which ones include it: they cannot be filled in then."""
        users: list[str] = []

        def done(desk: Desk) -> Item:
            entry = find_newest(desk, which)
            users[:] = used_by(desk, entry.name)
            return work(desk, entry.item.id)

        return (await self._moved(done)).model_copy(update={"used_by": users or None})

    async def _moved(self, work: Callable[[Desk], Item]) -> Prompt:
        item = await self._shelf.run(work)
        await self._changes.tell("prompts")
        return listed(item)
