"""Listing: the query for one page of a list, and for how many items there are in all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    Text,
    and_,
    any_,
    bindparam,
    func,
    literal_column,
    select,
    text,
    tuple_,
)

from laconic.stores.shelf.ground import in_states, item_columns
from laconic.stores.shelf.models import State
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, TAGS, USES

__all__ = ["KEYS", "ItemListing", "counted", "listed", "numbered"]

KEYS: Final[dict[str, ColumnElement[Any]]] = {
    "created_at": ITEMS.c.created_at,
    "updated_at": ITEMS.c.updated_at,
    "last_used_at": USES.c.last_used_at,
    "title": ITEMS.c.order_title,
    "name": func.coalesce(ITEMS.c.name, ""),
    "archived_at": func.coalesce(ITEMS.c.archived_at, 0),
    "deleted_at": func.coalesce(ITEMS.c.deleted_at, 0),
}
_NOW: Final = bindparam("now", type_=BigInteger())


@dataclass(frozen=True)
class ItemListing:
    """What a page shows, without the values: two of the same shape are the same SQL."""

    kinds: int
    states: tuple[State, ...]
    tags: int
    any_tag: bool
    has_text: bool
    sort: str
    ascending: bool
    is_after: bool
    bodies: bool

    @cached_property
    def order(self) -> tuple[ColumnElement[Any], ...]:
        """The columns that decide an item's place."""
        return (KEYS[self.sort], ITEMS.c.id)


def listed(listing: ItemListing, dialect: str) -> Select[Any]:
    """Return the query for a page; the last columns are the place of each item."""
    places = _places(listing, dialect)
    keys = [places.c[f"key{number}"] for number in range(len(listing.order))]
    page = select(places.c.n, *keys)
    if listing.is_after:
        there = [bindparam(f"after{number}", type_=key.type) for number, key in enumerate(keys)]
        here = tuple_(*keys)
        page = page.where(here > tuple_(*there) if listing.ascending else here < tuple_(*there))
    page = page.order_by(*_directed(keys, listing.ascending))
    page = page.limit(bindparam("count", type_=Integer())).offset(bindparam("skip", type_=Integer()))
    shown = page.subquery("page")
    more = [column for column in shown.c if column.name != "n"]
    query = select(*item_columns(listing.bodies), *more).select_from(shown)
    query = query.join(ITEMS, ITEMS.c.n == shown.c.n).join(USES, USES.c.item == ITEMS.c.n)
    return query.order_by(*_directed(more, listing.ascending))


def numbered(dialect: str, bodies: bool) -> Select[Any]:
    """Return the query for items by their numbers, in no order."""
    return select(*item_columns(bodies)).join(USES).where(_is_hit(dialect))


def counted(listing: ItemListing) -> Select[Any]:
    """Return the query for how many items there are in all."""
    return select(func.count()).select_from(ITEMS).where(_where(listing))


def _places(listing: ItemListing, dialect: str) -> FromClause:
    """Return the numbers of all items of a list, with the keys that order them."""
    query = select(ITEMS.c.n, *(key.label(f"key{number}") for number, key in enumerate(listing.order)))
    if listing.sort == "last_used_at":
        query = query.join(USES, USES.c.item == ITEMS.c.n)
    return query.where(_is_hit(dialect) if listing.has_text else _where(listing)).subquery("places")


def _is_hit(dialect: str) -> ColumnElement[bool]:
    if dialect == "sqlite":
        return ITEMS.c.n.in_(text("SELECT value FROM json_each(:hits)").bindparams(bindparam("hits")))
    return ITEMS.c.n == any_(bindparam("hits", type_=ARRAY(BigInteger)))


def _where(listing: ItemListing) -> ColumnElement[bool]:
    kinds = [bindparam(f"kind{number}", type_=Text()) for number in range(listing.kinds)]
    is_kind = ITEMS.c.kind == kinds[0] if len(kinds) == 1 else ITEMS.c.kind.in_(kinds)
    conditions = [is_kind, in_states(listing.states, _NOW)]
    if listing.tags:
        conditions.append(ITEMS.c.n.in_(_tagged(listing)))
    return and_(*conditions)


def _tagged(listing: ItemListing) -> Select[Any]:
    """Return the items with these tags, in one step: PostgreSQL would plan a hundred of them for seconds."""
    names = [bindparam(f"filter{number}", type_=TAGS.c.name.type) for number in range(listing.tags)]
    tagged = select(ITEM_TAGS.c.item).join(TAGS, TAGS.c.n == ITEM_TAGS.c.tag)
    if len(names) == 1:
        return tagged.where(TAGS.c.name == names[0])
    tagged = tagged.where(TAGS.c.name.in_(names))
    if listing.any_tag:
        return tagged
    return tagged.group_by(ITEM_TAGS.c.item).having(func.count() == literal_column(str(len(names))))


def _directed(keys: list[Any], ascending: bool) -> list[ColumnElement[Any]]:
    return [key.asc() if ascending else key.desc() for key in keys]
