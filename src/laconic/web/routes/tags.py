"""Tags and lists of several kinds: one set of tags for all items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laconic.kit import Conflict
from laconic.stores import Item, Taken
from laconic.web.collections.collection import Collection, listed_item
from laconic.web.models.library import ContentPage, TagCounts, TagQuery, TagRename, TagUse
from laconic.web.models.queries import ContentQueryParams
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.routes.lists import item_query, page_of

__all__ = ["CommonRoutes"]


@dataclass(frozen=True)
class CommonRoutes:
    """The routes that are for all collections together."""

    collections: Sequence[Collection]

    def operations(self) -> list[Operation]:
        """Return its operations."""
        toolset = self.collections[0].toolset
        return [
            Operation(
                *("GET", "/api/content/", "list_content", self.listing, toolset, ContentPage),
                query=ContentQueryParams,
                is_kept=True,
            ),
            Operation(
                *("GET", "/api/tags/", "list_tags", self.tags, toolset, TagCounts),
                query=TagQuery,
                is_kept=True,
            ),
            Operation(
                *("PATCH", "/api/tags/{tag}", "rename_tag", self.rename, toolset, TagUse),
                body=TagRename,
                fails=(404, 409),
            ),
            Operation(
                *("DELETE", "/api/tags/{tag}", "delete_tag", self.delete, toolset), status=204, fails=(404,)
            ),
        ]

    @property
    def _by_word(self) -> Mapping[str, Collection]:
        return {of.word: of for of in self.collections}

    async def listing(self, visit: Visit) -> WebReply:
        """List items of several kinds without their contents, or find some."""
        by_word = self._by_word

        def make(item: Item) -> Any:
            return listed_item(by_word[item.kind], item)

        wanted = item_query(self._words(visit.query.content_types), visit.query)
        return await page_of(visit, ContentPage, wanted, make)

    async def tags(self, visit: Visit) -> WebReply:
        """List the tags of active items, those of most items first."""
        kinds = self._words(visit.query.content_types)
        unused: bool = visit.query.include_inactive
        found = await visit.opened.shelf.read(lambda desk: desk.tags(kinds, unused=unused))
        tags = [TagUse(name=tag.name, content_count=tag.items) for tag in found]
        return WebReply(TagCounts(tags=sorted(tags, key=lambda tag: (-tag.content_count, tag.name))))

    async def rename(self, visit: Visit) -> WebReply:
        """Rename a tag everywhere at once; that is no change of the items that have it."""
        new: str = visit.body.new_name
        kinds = self._words(())

        def work(desk: Any) -> int:
            desk.rename_tag(visit.path["tag"], new)
            return next((tag.items for tag in desk.tags(kinds, unused=True) if tag.name == new), 0)

        try:
            count = await visit.opened.shelf.run(work)
        except Taken as taken:
            raise Conflict(str(taken), field="new_name") from None
        await visit.opened.tell_all()
        return WebReply(TagUse(name=new, content_count=count))

    async def delete(self, visit: Visit) -> WebReply:
        """Take a tag off all items."""
        await visit.opened.shelf.run(lambda desk: desk.drop_tag(visit.path["tag"]))
        await visit.opened.tell_all()
        return WebReply()

    def _words(self, chosen: Sequence[str]) -> list[str]:
        """Return the kinds that were chosen and are served; all of them if none was chosen."""
        return [word for word in self._by_word if not chosen or word in chosen]
