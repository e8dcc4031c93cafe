"""Reverting: an item becomes what it was, as a new version."""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import select

from laconic.stores.errors import BadValue
from laconic.stores.shelf.items.linking import Linking
from laconic.stores.shelf.models import By, ItemEdit
from laconic.stores.shelf.tables import ITEMS, TAGS

__all__ = ["Reverting"]

_FIELDS: Final = ("name", "title", "description", "terms", "extra")


class Reverting(Linking):
    """Goes back to earlier versions."""

    def revert(self, id: str, number: int, by: By) -> ItemEdit:
        """Make an item what it was in an earlier version; that is a new version.

        Tags that were renamed since have their new names; tags and linked items that are gone are left out.
        Fields that the version does not know stay as they are.

        Raises:
            Missing: there is no such item or version.
            BadValue: it is the present version.
            Taken: another item has the name of that time.
        """
        self.hold_version(id, number)
        row = self._alive(id)
        if number == row.version:
            raise BadValue(f"Version {number} is the present one.", "version")
        then, snapshot = self.version(id, number), self._kept_then(id, number)
        values = {field: snapshot[field] for field in _FIELDS if field in snapshot} | {"body": then.body}
        if "tags" in snapshot:
            values["tags"] = self._present_tags(snapshot["tags"])
        ends = self._change_links(id, self._linkable(snapshot["links"])) if "links" in snapshot else []
        self._note([end for end in ends if end.id != id], by)
        return self._apply(row, values, "restore", by, ["links"] if ends else [])

    def hold_version(self, id: str, number: int) -> None:
        """Lock an item and all that going back to a version could link it to, or no longer.

        Raises:
            Missing: there is no such item or version.
        """
        self.hold_linked(id, [other for other, _ in self._kept_then(id, number).get("links", ())])

    def _kept_then(self, id: str, number: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._version_row(self._row(id), number).snapshot)
        return found

    def _present_tags(self, then: list[tuple[int, str]]) -> list[str]:
        numbers = [number for number, _ in then]
        found = self._connection.execute(select(TAGS.c.n, TAGS.c.name).where(TAGS.c.n.in_(numbers)))
        names = dict(found.all())
        return [names[number] for number in numbers if number in names]

    def _linkable(self, then: list[tuple[str, str | None]]) -> dict[str, str | None]:
        ids = [id for id, _ in then]
        alive = select(ITEMS.c.id).where(ITEMS.c.id.in_(ids), ITEMS.c.deleted_at.is_(None))
        found = set(self._connection.scalars(alive))
        return {id: description for id, description in then if id in found}
