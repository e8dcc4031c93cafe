"""A whole item: its texts, uses, tags, labels and links, read with one statement, so at one moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, Select, Text, bindparam, case, cast, func, or_, select

from laconic.stores.database.texts import refuse_bad_values
from laconic.stores.errors import Missing
from laconic.stores.shelf.ground import Ground, in_states, item_columns, read_json
from laconic.stores.shelf.models import Item, ItemLink, State
from laconic.stores.shelf.statements import statement
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, LABELS, LINKS, TAGS, USES

__all__ = ["WholeItems"]

_OTHERS: Final = ITEMS.alias("others")  # the other ends of links
_Rows = Callable[..., ColumnElement[Any]]
# Rows as one JSON, in no order: what orders them is in front of each.
_ROWS: Final[dict[str, _Rows]] = {
    "sqlite": lambda *columns: func.json_group_array(func.json_array(*columns)),
    "postgresql": lambda *columns: cast(func.json_agg(func.json_build_array(*columns)), Text),
}


class WholeItems(Ground):
    """Reads whole items."""

    def get(self, id: str) -> Item:
        """Return an item with its body, in whatever state.

        Raises:
            Missing: there is none.
        """
        found = self._whole("id", lambda: [ITEMS.c.id == bindparam("id")], {"id": id})
        if found is None:
            raise Missing(f"There is no item {id}.")
        return found

    def find(self, kind: str, name: str, states: tuple[State, ...] = ("active",)) -> Item:
        """Return the item of a name, with its body; one in the trash only if that is asked for by id.

        Raises:
            Missing: there is none in these states.
        """

        def where() -> list[ColumnElement[bool]]:
            now = bindparam("now", type_=BigInteger)
            named = [ITEMS.c.kind == bindparam("kind"), ITEMS.c.name == bindparam("name")]
            return [*named, ITEMS.c.deleted_at.is_(None), in_states(states, now)]

        found = self._whole(("name", states), where, {"kind": kind, "name": name, "now": self._now})
        if found is None:
            raise Missing(f"There is no {kind} {name}.")
        return found

    def _whole(
        self, shape: Hashable, where: Callable[[], list[ColumnElement[bool]]], values: Mapping[str, Any]
    ) -> Item | None:
        rows = _ROWS[self._connection.dialect.name]
        prepared = statement(self._connection, ("whole", shape), lambda: _query(rows).where(*where()))
        refuse_bad_values(values)
        found = prepared.rows(self._connection, values)
        if not found:
            return None
        [row] = found
        tags, labels, links = (sorted(read_json(one)) if one else [] for one in row[-3:])
        item = self._item(row, [name for _, name in tags], bodies=True)
        item.labels = {label: number for label, number in labels}
        item.links = tuple(
            ItemLink(id, kind, name, title, self._state_at(archived, deleted), words)
            for _, id, kind, name, title, archived, deleted, words in links
        )
        return item


def _query(rows: _Rows) -> Select[Any]:
    return select(*item_columns(bodies=True), _tags(rows), _labels(rows), _links(rows)).join(USES)


def _tags(rows: _Rows) -> ColumnElement[Any]:
    found = select(rows(ITEM_TAGS.c.position, TAGS.c.name)).select_from(ITEM_TAGS.join(TAGS))
    return found.where(ITEM_TAGS.c.item == ITEMS.c.n).correlate(ITEMS).scalar_subquery()


def _labels(rows: _Rows) -> ColumnElement[Any]:
    found = select(rows(LABELS.c.label, LABELS.c.number))
    return found.where(LABELS.c.item == ITEMS.c.n).correlate(ITEMS).scalar_subquery()


def _links(rows: _Rows) -> ColumnElement[Any]:
    """Return the links from both ends, each with the other end; the oldest link first."""
    other, link = _OTHERS.c, LINKS.c
    columns = (link.created_at, other.id, other.kind, other.name, other.title)
    found = select(rows(*columns, other.archived_at, other.deleted_at, link.description))
    end = case((link.item == ITEMS.c.n, link.other), else_=link.item)
    found = found.select_from(LINKS.join(_OTHERS, other.n == end))
    is_end = or_(link.item == ITEMS.c.n, link.other == ITEMS.c.n)
    return found.where(is_end).correlate(ITEMS).scalar_subquery()
