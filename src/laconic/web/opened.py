"""What the routes work on: the services of the served toolsets, and the library as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from laconic.kit import Caller, Changes, Endpoint
from laconic.servers.notes.service import Notes
from laconic.servers.notes.store import KINDS as NOTES_KINDS
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.store import KIND, PROMPT
from laconic.stores import By, Database, ItemKind, Shelf

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

    @property
    def shelf(self) -> Shelf:
        """All kinds of items that are served."""
        if self._shelf is None:
            home = self.endpoint.supplies.outside(self.toolsets[0])
            self._database = Database(home.database, [Shelf.schema])
            self._shelf = Shelf(self._database, self.kinds)
        return self._shelf

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
        """Close the connections of the library; the services close with their endpoint."""
        if self._database is not None:
            await self._database.close()


def author_of(caller: Caller) -> By:
    """Say who makes a change, and through which program."""
    given = caller.headers.get("x-request-source", "").strip().lower()[:20]
    source = given if given.isprintable() and given else "api"
    kind = "session" if caller.scopes is None else "token"
    return By(caller.name, source, {"auth_type": kind})
