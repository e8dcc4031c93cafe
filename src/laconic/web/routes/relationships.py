"""Relationships: two items that have to do with each other, the same from both ends."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laconic.kit import Conflict, NotFound
from laconic.stores import Item, Missing, Taken
from laconic.web.collections.collection import Collection
from laconic.web.models.library import LinkChange, LinkRecord, LinksOfItem, NewRelationship
from laconic.web.operations import Operation, Visit, WebReply

if TYPE_CHECKING:
    from laconic.stores.shelf.desk import Desk

__all__ = ["LinkRoutes"]

_PATH = "/api/relationships"


@dataclass(frozen=True)
class LinkRoutes:
    """The routes for relationships between items of all collections."""

    collections: Sequence[Collection]

    def operations(self) -> list[Operation]:
        """Return its operations."""
        toolset = self.collections[0].toolset
        one: dict[str, Any] = {"toolset": toolset, "fails": (404,)}
        return [
            Operation(
                *("POST", f"{_PATH}/", "create_relationship", self.create, toolset, LinkRecord),
                status=201,
                body=NewRelationship,
                fails=(400, 404, 409),
            ),
            Operation(
                *("GET", f"{_PATH}/content/{{type}}/{{id}}", "list_relationships", self.listing),
                gives=LinksOfItem,
                is_kept=True,
                **one,
            ),
            Operation(
                *("GET", f"{_PATH}/{{link}}", "get_relationship", self.read),
                gives=LinkRecord,
                is_kept=True,
                **one,
            ),
            Operation(
                *("PATCH", f"{_PATH}/{{link}}", "change_relationship", self.change),
                gives=LinkRecord,
                body=LinkChange,
                **one,
            ),
            Operation("DELETE", f"{_PATH}/{{link}}", "delete_relationship", self.delete, status=204, **one),
        ]

    async def create(self, visit: Visit) -> WebReply:
        """Relate two items; both get a version."""
        new: NewRelationship = visit.body
        one, other = str(new.source_id), str(new.target_id)

        def work(desk: Desk) -> LinkRecord:
            self._end(desk, one, new.source_type)
            self._end(desk, other, new.target_type)
            desk.link(one, other, visit.by, new.description)
            return self._record(desk, one, other)

        try:
            made = await visit.opened.shelf.run(work)
        except Taken:
            code = {"error_code": "DUPLICATE_RELATIONSHIP"}
            raise Conflict("These two are related already.", details=code) from None
        await visit.opened.tell_all()
        return WebReply(made)

    async def listing(self, visit: Visit) -> WebReply:
        """List the relationships of an item, the oldest first."""

        def work(desk: Desk) -> list[LinkRecord]:
            item = self._end(desk, visit.id, visit.path["type"])
            return [_made(item, link.id, link.kind, link.description) for link in item.links]

        found = await visit.opened.shelf.read(work)
        return WebReply(LinksOfItem(items=found, total=len(found)))

    async def read(self, visit: Visit) -> WebReply:
        """Read a relationship."""
        ends = _ends(visit)
        return WebReply(await visit.opened.shelf.read(lambda desk: self._record(desk, *ends)))

    async def change(self, visit: Visit) -> WebReply:
        """Describe a relationship in other words, or none; both items get a version."""
        one, other = _ends(visit)
        change: LinkChange = visit.body

        def work(desk: Desk) -> LinkRecord:
            with suppress(Missing):  # who looks for it says so
                desk.hold_linked(one, [other])
            found = self._record(desk, one, other)
            if "description" not in change.model_fields_set:
                return found
            wanted = {link.id: link.description for link in desk.get(one).links}
            desk.set_links(one, wanted | {other: change.description}, visit.by)
            return self._record(desk, one, other)

        return WebReply(await visit.opened.shelf.run(work))

    async def delete(self, visit: Visit) -> WebReply:
        """Remove a relationship; both items get a version."""
        one, other = _ends(visit)

        def work(desk: Desk) -> None:
            self._record(desk, one, other)
            desk.unlink(one, other, visit.by)

        await visit.opened.shelf.run(work)
        await visit.opened.tell_all()
        return WebReply()

    def _end(self, desk: Desk, id: str, kind: str | None) -> Item:
        """Return one end; it must be of a kind that is served, and of the one that was named."""
        served = [of.word for of in self.collections if kind in (None, of.word)]
        try:
            item = desk.get(id)
        except Missing:
            raise NotFound((kind or "item").capitalize(), id) from None
        if item.kind not in served:
            raise NotFound((kind or "item").capitalize(), id)
        return item

    def _record(self, desk: Desk, one: str, other: str) -> LinkRecord:
        item = self._end(desk, one, None)
        for link in item.links:
            if link.id == other:
                return _made(item, link.id, link.kind, link.description)
        raise NotFound("Relationship", f"{one}.{other}")


def _ends(visit: Visit) -> tuple[str, str]:
    one, _, other = str(visit.path["link"]).lower().partition(".")
    return one, other


def _made(item: Item, other: str, kind: str, description: str | None) -> LinkRecord:
    return LinkRecord(
        id=".".join(sorted([item.id, other])),
        source_type=item.kind,  # type: ignore[arg-type]  # one of the kinds that there are
        source_id=item.id,
        target_type=kind,  # type: ignore[arg-type]
        target_id=other,
        description=description,
    )
