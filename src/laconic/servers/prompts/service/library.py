"""The library: everything that can be done with its prompts, by nouns."""

from __future__ import annotations

from laconic.kit import Changes, Diagnosis
from laconic.library.checkups import tables_of
from laconic.library.uses import Uses
from laconic.servers.prompts.service.editing import PromptEditing
from laconic.servers.prompts.service.reading import Reading
from laconic.servers.prompts.service.shelving import Shelving
from laconic.servers.prompts.service.templates import Templates
from laconic.servers.prompts.service.versions import Versions
from laconic.servers.prompts.templates.judge import Judge
from laconic.stores import Shelf

__all__ = ["Library"]


class Library:
    """The prompts of a user or a team."""

    def __init__(self, shelf: Shelf, judge: Judge, changes: Changes) -> None:
        self._judge = judge
        self._shelf = shelf
        self.uses = Uses(shelf)
        self.templates = Templates(shelf, judge, self.uses)
        self.reading = Reading(shelf, self.templates)
        self.editing = PromptEditing(shelf, self.templates, changes)
        self.versions = Versions(shelf, self.templates, changes)
        self.shelving = Shelving(shelf, changes)

    async def diagnosis(self) -> Diagnosis:
        """Say how the library is, for `laconic doctor`."""
        return await tables_of(self._shelf)

    async def close(self) -> None:
        """Wait for uses that are still to be noted, and end the workers."""
        await self.uses.close()
        await self._judge.close()
