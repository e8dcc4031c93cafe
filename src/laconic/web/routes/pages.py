"""Pages of bookmarks: what a page says about itself, before it is kept."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from laconic.web.collections.notes import BookmarkItems
from laconic.web.models.values import Address
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.people import refuse_tokens
from laconic.web.routes.declaring import declare

__all__ = ["PageRoutes"]


class PageAddress(BaseModel):
    """Which page."""

    url: Address
    include_content: bool = False


class PageFactsReply(BaseModel):
    """What a page says about itself; a page that cannot be read has an error instead."""

    url: str
    final_url: str | None = None
    title: str | None = None
    description: str | None = None
    content: str | None = None
    error: str | None = None


class PageRoutes:
    """The route that looks at pages."""

    def operations(self) -> list[Operation]:
        """Return its operations."""
        of = BookmarkItems()
        page: dict[str, Any] = {"gives": PageFactsReply, "query": PageAddress}
        return [declare(of, "GET", "/fetch-metadata", "fetch_metadata", self.look, **page)]

    async def look(self, visit: Visit) -> WebReply:
        """Read the title and the description of a page on the public internet; personal tokens may not."""
        refuse_tokens(visit.caller, "fetch-metadata")
        query: PageAddress = visit.query
        page, remarks = await (await visit.opened.notes()).pages.look(query.url)
        if page is None:
            return WebReply(PageFactsReply(url=query.url, error=" ".join(remarks)))
        facts = PageFactsReply(
            url=query.url,
            final_url=page.final_url,
            title=page.title or None,
            description=page.description or None,
            content=page.content if query.include_content else None,
        )
        return WebReply(facts)
