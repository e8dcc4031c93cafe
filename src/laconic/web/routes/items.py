"""The routes of one kind of item: the same for all kinds, by name too where items have one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laconic.kit import BadArguments, Moved
from laconic.library.finding import FIELDS, first_places, places_in
from laconic.stores import Item
from laconic.web.collections.collection import Collection, full_item, listed_item
from laconic.web.failing import StaleUpdate
from laconic.web.models.queries import LineQuery, ListQuery, PlaceQuery, ReplaceQuery
from laconic.web.models.replies import ChangedItem, FoundPlace, FoundPlaces, FullReplaced, MinimalReplaced
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.routes.declaring import declare
from laconic.web.routes.lists import item_query, page_of

__all__ = ["ItemRoutes", "found_item"]


async def found_item(collection: Collection, visit: Visit, path: Mapping[str, Any]) -> Item:
    """Return the item that a path names, perhaps as it was in an earlier version."""
    return await visit.opened.shelf.read(lambda desk: collection.find(desk, path))


async def item_reply(
    collection: Collection, visit: Visit, path: Mapping[str, Any], lines: LineQuery | None = None
) -> WebReply:
    """Return the answer with one item."""
    item = await found_item(collection, visit, path)
    return WebReply(full_item(collection, item, lines), item.version)


@dataclass(frozen=True)
class ItemRoutes:
    """The routes of one collection that read and change items."""

    of: Collection

    def operations(self) -> list[Operation]:
        """Return its operations; those by name come before those by id."""
        of = self.of
        return [
            declare(
                of,
                "POST",
                "/",
                "create_{item}",
                self.create,
                gives=of.full,
                status=201,
                body=of.new,
                fails=(400, 404, 409),
            ),
            declare(
                of,
                "GET",
                "/",
                "list_{item}s",
                self.listing,
                gives=of.page,
                query=ListQuery,
                is_kept=True,
            ),
            *(self._by("/name/{name}", "_by_name") if of.has_names else ()),
            *self._by("/{id}", ""),
            declare(
                of,
                "GET",
                "/{id}/search",
                "search_in_{item}",
                self.search_in,
                gives=FoundPlaces,
                query=PlaceQuery,
                fails=(400, 404),
                is_kept=True,
            ),
        ]

    def _by(self, path: str, end: str) -> Iterator[Operation]:
        """Yield the operations on one item, which is named by its name or by its id."""
        of = self.of
        read: dict[str, Any] = {"query": LineQuery, "fails": (400, 404), "is_kept": True}
        write: dict[str, Any] = {"guarded": True, "fails": (400, 404, 409, 412)}
        replaced = MinimalReplaced | FullReplaced
        yield declare(of, "GET", path, f"get_{{item}}{end}", self.read, gives=of.full, **read)
        yield declare(
            of,
            "GET",
            f"{path}/metadata",
            f"get_{{item}}_metadata{end}",
            self.metadata,
            gives=of.listed,
            **read,
        )
        yield declare(
            of, "PATCH", path, f"change_{{item}}{end}", self.change, gives=of.full, body=of.changed, **write
        )
        yield declare(
            of,
            "PATCH",
            f"{path}/str-replace",
            f"replace_in_{{item}}{end}",
            self.replace,
            gives=replaced,
            body=of.replacement,
            query=ReplaceQuery,
            **write,
        )

    async def create(self, visit: Visit) -> WebReply:
        """Keep a new item."""
        id = await self.of.create(visit.opened, visit.body, visit.by)
        return await item_reply(self.of, visit, {"id": id})

    async def listing(self, visit: Visit) -> WebReply:
        """List items without their contents, or find some."""
        wanted = item_query([self.of.word], visit.query)
        return await page_of(visit, self.of.page, wanted, lambda item: listed_item(self.of, item))

    async def read(self, visit: Visit) -> WebReply:
        """Read an item, or some lines of its content."""
        return await item_reply(self.of, visit, visit.path, visit.query)

    async def metadata(self, visit: Visit) -> WebReply:
        """Read what is known about an item, without its content."""
        if visit.query.model_fields_set:
            said = "Lines are of the content, which is not in this answer."
            raise BadArguments(said, field=min(visit.query.model_fields_set))
        item = await found_item(self.of, visit, visit.path)
        return WebReply(listed_item(self.of, item), item.version)

    async def search_in(self, visit: Visit) -> WebReply:
        """Find a text in an item as it is written, with the lines around each place."""
        query: PlaceQuery = visit.query
        fields = [name.strip() for name in query.fields.split(",") if name.strip()]
        if unknown := [name for name in fields if name not in FIELDS]:
            said = f"Unknown field '{unknown[0][:80]}'."
            raise BadArguments(said, field="fields", given=unknown[0], allowed=FIELDS)
        item = await found_item(self.of, visit, visit.path)
        how: dict[str, Any] = {"case_sensitive": query.case_sensitive, "context": query.context_lines}
        # in a thread: in a long text it takes seconds, in which nobody else would be answered
        found = await asyncio.to_thread(places_in, item, query.q, fields, **how)
        matches = [FoundPlace(**place._asdict()) for place in first_places(found)]
        return WebReply(FoundPlaces(matches=matches, total_matches=len(found)))

    async def change(self, visit: Visit) -> WebReply:
        """Change an item: what is left out stays, and null clears a title, a description or the archive."""
        expected = visit.expected(visit.body.expected_updated_at)
        try:
            id = await self.of.change(visit.opened, visit.path, visit.body, visit.by, expected)
        except Moved as moved:
            if moved.field != "updated_at":
                raise
            now = await item_reply(self.of, visit, visit.path)
            raise StaleUpdate(moved, now.value) from None
        return await item_reply(self.of, visit, {"id": id})

    async def replace(self, visit: Visit) -> WebReply:
        """Replace a text in an item's content, which must occur there exactly once."""
        done = await self.of.replace(visit.opened, visit.path, visit.body, visit.by, visit.expected())
        how: dict[str, Any] = {"match_type": done.match_type, "line": done.line}
        if visit.query.include_updated_entity:
            item = await found_item(self.of, visit, {"id": done.id})
            return WebReply(FullReplaced(**how, data=full_item(self.of, item)), item.version)  # type: ignore[arg-type]
        # Not of the item as it is by now: somebody else may have changed it, which the caller has not seen.
        changed = ChangedItem(id=done.id, updated_at=done.updated_at)
        return WebReply(MinimalReplaced(**how, data=changed), done.version)
