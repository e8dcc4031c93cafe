"""Listing: the query for one page of a list or a search, and for how many items there are in all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    Text,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    tuple_,
)

from laconic.stores.shelf.ground import in_states, item_columns
from laconic.stores.shelf.models import ItemKind, State
from laconic.stores.shelf.search.asked import QueryShape
from laconic.stores.shelf.search.ranking import Ranking
from laconic.stores.shelf.tables import ITEM_TAGS, ITEMS, TAGS, USES

__all__ = ["KEYS", "ItemListing", "counted", "listed"]

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

    kinds: tuple[ItemKind, ...]
    states: tuple[State, ...]
    tags: int
    any_tag: bool
    text: QueryShape | None
    sort: str
    ascending: bool
    is_after: bool

    @property
    def is_ranked(self) -> bool:
        """True if the best hits come first."""
        return self.sort == "relevance"

    @cached_property
    def order(self) -> tuple[ColumnElement[Any], ...]:
        """The columns that decide an item's place, the first one for its rank."""
        if self.is_ranked:
            return (ITEMS.c.n, ITEMS.c.created_at, ITEMS.c.id)
        return (KEYS[self.sort], ITEMS.c.id)


def listed(listing: ItemListing, dialect: str) -> Select[Any]:
    """Return the query for a page; the last columns are the place of each item."""
    places = _places(listing, dialect)
    keys = [places.c[f"key{number}"] for number in range(len(listing.order))]
    total = [select(func.count()).select_from(places).scalar_subquery().label("total")]
    page = select(places.c.n, *(total if listing.is_ranked else []), *keys)
    if listing.is_after:
        there = [bindparam(f"after{number}", type_=key.type) for number, key in enumerate(keys)]
        here = tuple_(*keys)
        page = page.where(here > tuple_(*there) if listing.ascending else here < tuple_(*there))
    page = page.order_by(*_directed(keys, listing.ascending))
    page = page.limit(bindparam("count", type_=Integer())).offset(bindparam("skip", type_=Integer()))
    shown = page.subquery("page")
    more = [column for column in shown.c if column.name != "n"]
    query = select(*item_columns(), *more).select_from(shown)
    query = query.join(ITEMS, ITEMS.c.n == shown.c.n).join(USES, USES.c.item == ITEMS.c.n)
    return query.order_by(*_directed(more[-len(keys) :], listing.ascending))


def counted(listing: ItemListing, dialect: str) -> Select[Any]:
    """Return the query for how many items there are in all."""
    query = select(func.count()).select_from(ITEMS)
    ranking = _ranking(listing, dialect)
    if ranking is None:
        return query.where(_where(listing))
    return query.join(ranking.found, ranking.found.c.item == ITEMS.c.n).where(
        _where(listing), ranking.is_hit()
    )


def _places(listing: ItemListing, dialect: str) -> FromClause:
    """Return the numbers of all items of a list, with the keys that order them."""
    ranking = _ranking(listing, dialect)
    order = list(listing.order)
    if ranking is not None and listing.is_ranked:
        order[0] = _score(listing, ranking)
    query = select(ITEMS.c.n, *(key.label(f"key{number}") for number, key in enumerate(order)))
    if listing.sort == "last_used_at":
        query = query.join(USES, USES.c.item == ITEMS.c.n)
    query = query.where(_where(listing))
    if ranking is not None:
        query = query.join(ranking.found, ranking.found.c.item == ITEMS.c.n).where(ranking.is_hit())
    return query.cte("places") if listing.is_ranked else query.subquery("places")


def _ranking(listing: ItemListing, dialect: str) -> Ranking | None:
    return Ranking(listing.text, listing.kinds, dialect) if listing.text else None


def _score(listing: ItemListing, ranking: Ranking) -> ColumnElement[int]:
    score = ranking.score()
    if {"active", "archived"} <= set(listing.states):  # what is archived counts half
        score = score * case((in_states(["archived"], _NOW), 1), else_=2)
    return score


def _where(listing: ItemListing) -> ColumnElement[bool]:
    # With a text its hits come first: an index of kinds, which SQLite would prefer, leads to all items.
    kind = func.coalesce(ITEMS.c.kind, "") if listing.text else ITEMS.c.kind
    kinds = [bindparam(f"kind{number}", type_=Text()) for number in range(len(listing.kinds))]
    is_kind = kind == kinds[0] if len(kinds) == 1 else kind.in_(kinds)
    conditions = [is_kind, in_states(listing.states, _NOW)]
    if tags := [_has_tag(number) for number in range(listing.tags)]:
        conditions.append(or_(*tags) if listing.any_tag else and_(*tags))
    return and_(*conditions)


def _has_tag(number: int) -> ColumnElement[bool]:
    tagged = select(ITEM_TAGS.c.item).join(TAGS, TAGS.c.n == ITEM_TAGS.c.tag)
    return ITEMS.c.n.in_(tagged.where(TAGS.c.name == bindparam(f"filter{number}", type_=TAGS.c.name.type)))


def _directed(keys: list[Any], ascending: bool) -> list[ColumnElement[Any]]:
    return [key.asc() if ascending else key.desc() for key in keys]
