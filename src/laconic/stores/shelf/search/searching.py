"""Searching: lists and search, in the same order on every database, and going on after any item."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from laconic.stores.shelf.ground import Ground, bounded
from laconic.stores.shelf.models import ItemPage, ItemQuery
from laconic.stores.shelf.names import tag_names
from laconic.stores.shelf.search.asked import asked, groups_of
from laconic.stores.shelf.search.language import parse
from laconic.stores.shelf.search.listing import KEYS, ItemListing, counted, listed
from laconic.stores.shelf.search.vocabulary import seek
from laconic.stores.shelf.statements import statement

__all__ = ["Searching"]


class Searching(Ground):
    """Finds items."""

    def search(
        self, query: ItemQuery, count: int, after: Sequence[int | str] | None = None, skip: int = 0
    ) -> ItemPage:
        """Return items without their bodies, after the last one of the page before, or after so many.

        A hit in a name counts more than one in a body; items of equal rank come newest first.

        Raises:
            BadValue: the text is too long, or a tag is none.
        """
        listing, values = self._listing(query, after)
        values |= {"count": count + 1, "skip": bounded(skip)}
        prepared = statement(
            self._connection, listing, lambda: listed(listing, self._connection.dialect.name)
        )
        rows = prepared.run(self._connection, values).all()
        place = rows[count - 1] if len(rows) > count else None
        return ItemPage(
            self._items(rows[:count]),
            None if place is None else tuple(place[-len(listing.order) :]),
            rows[0].total if rows and listing.is_ranked else None,
        )

    def count(self, query: ItemQuery) -> int:
        """Return how many items a query has in all."""
        listing, values = self._listing(query)
        shape = ("count", listing)
        prepared = statement(self._connection, shape, lambda: counted(listing, self._connection.dialect.name))
        return int(prepared.run(self._connection, values).scalar_one())

    def _listing(
        self, query: ItemQuery, after: Sequence[int | str] | None = None
    ) -> tuple[ItemListing, dict[str, Any]]:
        """Return the shape of a query, and its values."""
        text = parse(query.text)
        parts = asked(text, partial(seek, self._connection)) if text else None
        is_ranked = parts is not None and query.sort in (None, "relevance")
        tags = tag_names(query.tags)
        kinds = tuple(map(self._kind, dict.fromkeys(query.kinds)))
        sort = query.sort if query.sort in KEYS else "created_at"
        listing = ItemListing(
            kinds=kinds,
            states=tuple(query.states),
            tags=len(tags),
            any_tag=query.any_tag,
            text=parts.shape if parts else None,
            sort="relevance" if is_ranked else sort or "created_at",
            ascending=query.ascending and not is_ranked,
            is_after=after is not None,
        )
        values: dict[str, Any] = {"now": self._now}
        values |= {f"kind{number}": kind.word for number, kind in enumerate(kinds)}
        values |= {f"filter{number}": tag for number, tag in enumerate(tags)}
        values |= {f"after{number}": value for number, value in enumerate(after or ())}
        return listing, values | (parts.values(groups_of(kinds)) if parts else {})
