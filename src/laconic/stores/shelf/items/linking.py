"""Linking: two items refer to each other; a link is the same from both ends and is in both histories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Row, and_, delete, func, insert, or_, select

from laconic.stores.errors import BadValue, Missing, Taken
from laconic.stores.shelf.items.editing import Editing
from laconic.stores.shelf.models import By
from laconic.stores.shelf.tables import LINKS

__all__ = ["Linking"]

_MOST: Final = 50


class Linking(Editing):
    """Links items."""

    def link(self, id: str, other: str, by: By, description: str | None = None) -> None:
        """Link two items.

        Raises:
            Missing: one of them does not exist or is in the trash.
            Taken: they are linked already.
            BadValue: it is the same item, or one has too many links.
        """
        rows = self._ends([id, other])
        if self._is_linked(rows[id], rows[other]):
            raise Taken("These two are linked already.", {"id": other})
        self._put_link(rows[id], rows[other], description)
        self._note(rows.values(), by)

    def unlink(self, id: str, other: str, by: By) -> None:
        """Remove the link between two items.

        Raises:
            Missing: there is none.
        """
        rows = self._ends([id, other])
        if not self._is_linked(rows[id], rows[other]):
            raise Missing("These two are not linked.")
        self._take_link(rows[id], rows[other])
        self._note(rows.values(), by)

    def set_links(self, id: str, wanted: Mapping[str, str | None], by: By) -> bool:
        """Give an item exactly these links, each with its description; False if it has them already.

        Raises:
            Missing: one of them does not exist or is in the trash.
            BadValue: it is the item itself, or there are too many.
        """
        ends = self._change_links(id, wanted)
        self._note(ends, by)
        return bool(ends)

    def hold_linked(self, id: str, others: Iterable[str]) -> None:
        """Lock an item, those that it is linked to, and others that it will be linked to.

        Whoever changes an item and its links in one transaction does this first: two who lock their own item
        and then that of the other wait in a circle, until the database ends one of them.

        Raises:
            Missing: there is no such item.
        """
        self.hold({id, *others, *dict(self._link_rows(self._row(id).n))})

    def _change_links(self, id: str, wanted: Mapping[str, str | None]) -> list[Row[Any]]:
        """Change the links and return both ends of those that changed."""
        self.hold_linked(id, wanted)
        present: dict[str, str | None] = dict(self._link_rows(self._row(id).n))
        changed = {other for other in {*wanted, *present} if _words(wanted, other) != _words(present, other)}
        if not changed:
            return []
        rows = self._ends([id, *(other for other in changed if other in wanted)])
        gone = {other: self._row(other, lock=True) for other in sorted(changed - set(wanted))}
        for row in gone.values():
            self._take_link(rows[id], row)
        for other in sorted(changed & set(wanted)):
            if other in present:
                self._take_link(rows[id], rows[other])
            self._put_link(rows[id], rows[other], wanted[other])
        return [*rows.values(), *gone.values()]

    def _ends(self, ids: Iterable[str]) -> dict[str, Row[Any]]:
        """Lock items that are not in the trash, and return their rows."""
        wanted = list(ids)
        if len(set(wanted)) < len(wanted):
            raise BadValue("An item cannot be linked to itself.", "links")
        self.hold(wanted)
        return {id: self._alive(id) for id in sorted(wanted)}

    def _note(self, rows: Iterable[Row[Any]], by: By) -> None:
        for row in rows:
            self._record(self._store(row, {}, is_version=True), "update", by, ["links"])

    def _put_link(self, one: Row[Any], two: Row[Any], description: str | None) -> None:
        for row in (one, two):
            if self._count_links(row) >= _MOST:
                raise BadValue(f"An item has at most {_MOST} links; {row.name or row.id} has them.", "links")
        item, other = sorted((one.n, two.n))
        values = {"item": item, "other": other, "description": description, "created_at": self._now}
        self._connection.execute(insert(LINKS).values(values))

    def _take_link(self, one: Row[Any], two: Row[Any]) -> None:
        self._connection.execute(delete(LINKS).where(_between(one, two)))

    def _is_linked(self, one: Row[Any], two: Row[Any]) -> bool:
        return self._connection.execute(select(LINKS.c.item).where(_between(one, two))).first() is not None

    def _count_links(self, row: Row[Any]) -> int:
        is_end = or_(LINKS.c.item == row.n, LINKS.c.other == row.n)
        return int(self._connection.execute(select(func.count()).where(is_end)).scalar_one())


def _between(one: Row[Any], two: Row[Any]) -> Any:
    item, other = sorted((one.n, two.n))
    return and_(LINKS.c.item == item, LINKS.c.other == other)


def _words(links: Mapping[str, str | None], other: str) -> tuple[bool, str | None]:
    return other in links, links.get(other)
