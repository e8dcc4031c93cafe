"""Pages of bookmarks: fetched only when somebody asks for it, and only from the public internet."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from laconic.kit import failure_of
from laconic.servers.notes.bookmarks import BookmarkPage, facts_of
from laconic.upstream import Reach, UpstreamError

__all__ = ["Pages"]


@dataclass(frozen=True)
class Pages:
    """Reads pages, or says why it could not."""

    reach: Reach | None  # None: the settings do not allow it

    async def look(self, url: str) -> tuple[BookmarkPage | None, list[str]]:
        """Return what a page says about itself, and remarks about what is missing."""
        if self.reach is None:
            return None, ["The page was not read: [notes] fetch is off."]
        try:
            page = await self.reach.fetch(url)
        except UpstreamError as error:
            return None, [f"The page was not read: {failure_of(error).message}"]
        facts = await asyncio.to_thread(facts_of, page)
        return facts, ["The page is long: only its beginning was read."] if page.is_cut else []
