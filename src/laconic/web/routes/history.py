"""History: what was done with items, what they were, and going back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laconic.kit import NotFound
from laconic.stores import ItemVersion, Missing
from laconic.text import unified_diff
from laconic.web.collections.collection import Collection
from laconic.web.entries import entry_of, snapshot_of
from laconic.web.models.library import AnyFull, HistoryPage, HistoryQuery, VersionDiff, VersionRecord
from laconic.web.models.queries import PageQuery
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.routes.declaring import declare
from laconic.web.routes.items import item_reply

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["HistoryRoutes"]

_ONE = "/api/history/{type}/{id}"


@dataclass(frozen=True)
class HistoryRoutes:
    """The routes for the history of one item, and of all."""

    collections: Sequence[Collection]

    def operations(self) -> list[Operation]:
        """Return its operations."""
        toolset = self.collections[0].toolset
        one: dict[str, Any] = {"toolset": toolset, "fails": (404,), "is_kept": True}
        number = f"{_ONE}/version/{{version}}"
        back: dict[str, Any] = {"fails": (400, 404, 409, 412), "effect_is": "update", "guarded": True}
        feed = Operation(
            *("GET", "/api/history/", "list_history", self.feed, toolset, HistoryPage),
            query=HistoryQuery,
            is_kept=True,
        )
        item: dict[str, Any] = {"gives": HistoryPage, "query": PageQuery, "is_kept": True}
        restore = f"{_ONE}/restore/{{version}}"
        return [
            feed,
            *(
                declare(of, "GET", "/{id}/history", "list_history_of_{item}", _OfKind(of, self).run, **item)
                for of in self.collections
            ),
            Operation("GET", _ONE, "list_history_of_one", self.of_item, toolset, **item),
            Operation("GET", number, "get_version", self.version, gives=VersionRecord, **one),
            Operation("GET", f"{number}/diff", "compare_version", self.diff, gives=VersionDiff, **one),
            Operation("POST", restore, "restore_version", self.restore, toolset, AnyFull, **back),
        ]

    async def feed(self, visit: Visit) -> WebReply:
        """List what was done with all items, the newest first."""
        query: HistoryQuery = visit.query
        words = [of.word for of in self.collections]
        kinds = [word for word in words if not query.content_type or word in query.content_type]
        which: dict[str, Any] = {
            "actions": query.action,
            "sources": query.source,
            "since": query.start_date,
            "until": query.end_date,
        }

        def work(desk: Desk) -> tuple[list[ItemVersion], int]:
            found = desk.history(kinds, query.limit, skip=query.offset, **which)
            return found, desk.count_history(kinds, **which)

        return _page(query, *await visit.opened.shelf.read(work))

    async def of_item(self, visit: Visit) -> WebReply:
        """List what was done with one item, the newest first; nothing, if there is no such item."""
        return await self.entries(visit, str(visit.path["type"]))

    async def entries(self, visit: Visit, word: str) -> WebReply:
        """Return the page of an item's history."""
        query: PageQuery = visit.query

        def work(desk: Desk) -> tuple[list[ItemVersion], int]:
            try:
                if desk.get(visit.id).kind != word:
                    return [], 0
            except Missing:
                return [], 0
            found = desk.versions(visit.id, query.limit, skip=query.offset)
            return found, desk.count_history([word], item=visit.id)

        return _page(query, *await visit.opened.shelf.read(work))

    async def version(self, visit: Visit) -> WebReply:
        """Read an item as it was in one version."""

        def work(desk: Desk) -> ItemVersion:
            self._of(visit).find(desk, {"id": visit.id})
            return desk.version(visit.id, visit.path["version"])

        found = await visit.opened.shelf.read(work)
        return WebReply(VersionRecord(**entry_of(found), content=found.body))

    async def diff(self, visit: Visit) -> WebReply:
        """Show what one version changed: the texts before and after it, and the rest."""
        number: int = visit.path["version"]

        def work(desk: Desk) -> tuple[ItemVersion | None, ItemVersion]:
            self._of(visit).find(desk, {"id": visit.id})
            after = desk.version(visit.id, number)
            return (desk.version(visit.id, number - 1) if number > 1 else None), after

        before, after = await visit.opened.shelf.read(work)
        old = before.body if before else None
        is_same = before is not None and old == after.body
        # in a thread: with long texts it takes a while, in which nobody else would be answered
        shown = "" if is_same else (await asyncio.to_thread(unified_diff, old or "", after.body or "")).text
        return WebReply(
            VersionDiff(
                content_type=after.kind,  # type: ignore[arg-type]  # one of the kinds that there are
                content_id=after.item,
                version=number,
                before_content=None if is_same else old,
                after_content=None if is_same else after.body,
                before_metadata=snapshot_of(before) if before else None,
                after_metadata=snapshot_of(after),
                diff=shown,
            )
        )

    async def restore(self, visit: Visit) -> WebReply:
        """Make an item what it was in an earlier version, as a new version."""
        of = self._of(visit)
        await of.revert(visit.opened, visit.id, visit.path["version"], visit.by, visit.expected())
        await visit.opened.tell(of.word)
        return await item_reply(of, visit, {"id": visit.id})

    def _of(self, visit: Visit) -> Collection:
        word = visit.path["type"]
        found = next((of for of in self.collections if of.word == word), None)
        if found is None:
            raise NotFound(str(word).capitalize(), visit.id)
        return found


@dataclass(frozen=True)
class _OfKind:
    """The history of one item, below its own address."""

    of: Collection
    routes: HistoryRoutes

    async def run(self, visit: Visit) -> WebReply:
        """List what was done with an item, the newest first; nothing, if there is no such item."""
        return await self.routes.entries(visit, self.of.word)


def _page(query: PageQuery, found: Sequence[ItemVersion], total: int) -> WebReply:
    page = HistoryPage(
        items=[entry_of(one) for one in found],  # type: ignore[misc]  # pydantic makes them
        total=total,
        offset=query.offset,
        limit=query.limit,
        has_more=query.offset + len(found) < total,
    )
    return WebReply(page)
