"""The routes of one kind of item for its life: archive, trash, the end, and that it was used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from laconic.stores import By
from laconic.web.collections.collection import Collection
from laconic.web.collections.putting_away import ExpectedItems
from laconic.web.models.queries import DeleteQuery
from laconic.web.operations import Operation, Visit, WebReply
from laconic.web.routes.declaring import declare
from laconic.web.routes.items import item_reply

__all__ = ["LifeRoutes"]


@dataclass(frozen=True)
class LifeRoutes:
    """The routes of one collection that put items away; none of them is a version."""

    of: Collection

    def operations(self) -> list[Operation]:
        """Return its operations."""
        of = self.of
        moves = {"archive": self.archive, "unarchive": self.unarchive, "restore": self.restore}
        moved: dict[str, Any] = {"gives": of.full, "fails": (400, 404, 409, 412), "guarded": True}
        return [
            declare(
                of,
                "DELETE",
                "/{id}",
                "delete_{item}",
                self.delete,
                status=204,
                query=DeleteQuery,
                fails=(404, 412),
                guarded=True,
            ),
            *(
                declare(of, "POST", f"/{{id}}/{name}", f"{name}_{{item}}", run, effect_is="update", **moved)
                for name, run in moves.items()
            ),
            declare(
                of,
                "POST",
                "/{id}/track-usage",
                "track_usage_of_{item}",
                self.use,
                status=204,
                fails=(404,),
                counted=False,
                effect_is="update",
            ),
        ]

    async def delete(self, visit: Visit) -> WebReply:
        """Put an item into the trash, or delete it for good with its history."""
        items = self._items(visit)
        if visit.query.permanent:
            await items.purge(visit.id)
        else:
            await items.trash(visit.id, visit.by)
        await visit.opened.tell(self.of.word)
        return WebReply()

    async def archive(self, visit: Visit) -> WebReply:
        """Archive an item: it is found by its id, and in lists that ask for archived ones."""
        return await self._moved(visit, self._items(visit).archive)

    async def unarchive(self, visit: Visit) -> WebReply:
        """Make an archived item active again."""
        return await self._moved(visit, self._items(visit).unarchive)

    async def restore(self, visit: Visit) -> WebReply:
        """Bring an item back from the trash; it is active then."""
        return await self._moved(visit, self._items(visit).untrash)

    async def use(self, visit: Visit) -> WebReply:
        """Note that an item was used, at most once a minute; that is no change of it."""

        def work(desk: Any) -> None:
            desk.use(self.of.find(desk, visit.path).id)

        await visit.opened.shelf.run(work)
        return WebReply()

    def _items(self, visit: Visit) -> ExpectedItems:
        return ExpectedItems(visit.opened.shelf, self.of, visit.expected())

    async def _moved(self, visit: Visit, move: Any) -> WebReply:
        by: By = visit.by
        await move(visit.id, by)
        await visit.opened.tell(self.of.word)
        return await item_reply(self.of, visit, visit.path)
