"""What the routes work on: the services of the served toolsets, and the library as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from laconic.kit import Changes, Endpoint
from laconic.library.tokens import PersonalTokens
from laconic.servers.notes.service import Notes
from laconic.servers.notes.store import KINDS as NOTES_KINDS
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.store import KIND, PROMPT
from laconic.stores import Database, ItemKind, Shelf
from laconic.stores.keyring.keyring import Keyring, keyring_beside
from laconic.web.feed import Feed
from laconic.web.kept.answers import KeptAnswers

__all__ = ["SERVED", "OpenLibrary"]

# Of which toolsets there is something to serve, and the kinds of items that each brings.
SERVED: Final[dict[str, tuple[ItemKind, ...]]] = {"prompts": (KIND,), "notes": NOTES_KINDS}
T = TypeVar("T")


class OpenLibrary:
    """The library, opened for requests; the services are those that the tools use."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.toolsets = [name for name in endpoint.listing.toolsets if name in SERVED]
        self.kinds: Sequence[ItemKind] = [kind for name in self.toolsets for kind in SERVED[name]]
        self._database: Database | None = None
        self._shelf: Shelf | None = None
        self._keyring: Keyring | None = None
        self.feed: Final = Feed(endpoint)
        self.answers: Final = KeptAnswers(lambda: self.shelf)
        self.tokens: Final = PersonalTokens(lambda: self.keyring)

    @property
    def shelf(self) -> Shelf:
        """All kinds of items that are served."""
        if self._shelf is None:
            home = self.endpoint.supplies.outside(self.toolsets[0])
            self._database = Database(home.database, [Shelf.schema])
            self._shelf = Shelf(self._database, self.kinds)
        return self._shelf

    @property
    def keyring(self) -> Keyring:
        """The tokens that people made."""
        if self._keyring is None:
            home = self.endpoint.supplies.outside(self.toolsets[0])
            self._keyring = Keyring(keyring_beside(home.database))
        return self._keyring

    @property
    def changes(self) -> Changes:
        """Tells clients of the tools that a list changed."""
        home = self.endpoint.supplies.outside(self.toolsets[0])
        return home.changes.of(home.data)

    async def tell(self, word: str) -> None:
        """Tell clients of the tools that a kind of item changed, if they have a list of it."""
        if word == PROMPT:
            await self.changes.tell("prompts")

    async def tell_all(self) -> None:
        """Tell clients of the tools that items of any kind may have changed."""
        for kind in self.kinds:
            await self.tell(kind.word)

    async def library(self) -> Library:
        """The service of prompts."""
        return await self._service("prompts", Library)

    async def notes(self) -> Notes:
        """The service of notes and bookmarks."""
        return await self._service("notes", Notes)

    async def _service(self, toolset: str, kind: type[T]) -> T:
        found: T = (await self.endpoint.supplies.of(toolset))[kind]
        return found

    async def close(self) -> None:
        """End the streams, and close the connections; the services close with their endpoint."""
        await self.feed.close()
        for one in (self._database, self._keyring):
            if one is not None:
                await one.close()
