"""Holding: a view of a file is kept while it is read in pages, so that all pages are of one version."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from laconic.kit import Conflict
from laconic.servers.google.kept.texts import Kept, KeptText, as_json

_OWN: Final = "text:"  # how revisions begin that are not Google's


class HeldWords(NamedTuple):
    """What is said if a file was changed between two pages."""

    as_then: str  # by others: the page is still of the version of the first
    ours: str  # by us: the page is of the new version
    gone: str  # by others, and the version of the first page is not kept any longer


def own_revision(data: Any) -> str:
    """Return a revision made from the content: Google tells none to somebody who may only read."""
    return _OWN + blake2b(as_json(data).encode()).hexdigest()


def is_own(revision: str) -> bool:
    """True if a revision was made from the content."""
    return revision.startswith(_OWN)


@dataclass(frozen=True)
class Holding:
    """A view of a file, and how to ask for it."""

    kept: Kept
    file: str
    view: str
    ask: Callable[[], Awaitable[KeptText]]
    ask_revision: Callable[[], Awaitable[str]]  # asks Google; not for revisions of our own
    words: HeldWords

    async def is_present(self, revision: str) -> bool:
        """True if the file still has a revision; if that is Google's, only the revision is asked for."""
        present = self.kept.present(self.file)
        if present is None:
            present = (await self.ask()).revision if is_own(revision) else await self.ask_revision()
            self.kept.tell(self.file, present)
        return present == revision

    async def hold(self, found: KeptText) -> None:
        """Keep what was asked for, so that further pages are of the same version."""
        await self.kept.put(self.file, self.view, found)
        self.kept.tell(self.file, found.revision)

    async def reopened(self, mark: str) -> tuple[KeptText, str]:
        """Return the version that was held, and what to say if it is not the present one.

        Whoever changed the file gets the new version, which is held from then on.

        Raises:
            Conflict: it is not kept any longer, and somebody else changed the file.
        """
        found = await self.kept.get(self.file, self.view, mark)
        if found is not None:
            return found, "" if await self.is_present(found.revision) else self.words.as_then
        is_ours = await self.kept.was_ours(self.file, self.view, mark)
        found = await self.ask()
        if found.mark != mark and not is_ours:
            raise Conflict(self.words.gone, code="RESOURCE_LOCKED", advice="Begin again.")
        await self.hold(found)
        return found, "" if found.mark == mark else self.words.ours
