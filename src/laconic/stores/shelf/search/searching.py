"""Searching: lists and search, in the same order on every database, and going on after any item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from laconic.stores.errors import BadValue
from laconic.stores.shelf.ground import bounded
from laconic.stores.shelf.models import ItemPage, ItemQuery
from laconic.stores.shelf.names import tag_names
from laconic.stores.shelf.search.hits import Hits, HitsWanted, find_hits
from laconic.stores.shelf.search.indexing import Indexing
from laconic.stores.shelf.search.language import parse
from laconic.stores.shelf.search.listing import KEYS, ItemListing, counted, listed, numbered
from laconic.stores.shelf.search.postings import members
from laconic.stores.shelf.statements import as_list, statement

__all__ = ["Searching"]

_PAGE: Final = 100  # items


class Searching(Indexing):
    """Finds items."""

    def search(
        self, query: ItemQuery, count: int, after: Sequence[int | str] | None = None, skip: int = 0
    ) -> ItemPage:
        """Return items without their bodies, after the last one of the page before, or after so many.

        A hit in a name counts more than one in a body; items of equal rank come newest first.

        Raises:
            BadValue: the text is too long, or a tag is none.
        """
        hits = self._hits(query)
        if hits is not None and query.sort in (None, "relevance"):
            return self._ranked(hits, count, after, bounded(skip))
        listing = self._listing(query, hits, after, self._reads_bodies(count))
        values = self._values(query, hits) | {"count": count + 1, "skip": bounded(skip)}
        values |= {f"after{number}": value for number, value in enumerate(after or ())}
        prepared = statement(
            self._connection, listing, lambda: listed(listing, self._connection.dialect.name)
        )
        rows = prepared.rows(self._connection, values)
        place = rows[count - 1] if len(rows) > count else None
        return ItemPage(
            self._items(rows[:count]),
            None if place is None else tuple(place[-len(listing.order) :]),
            None if hits is None else hits.items.bit_count(),
        )

    def count(self, query: ItemQuery) -> int:
        """Return how many items a query has in all."""
        hits = self._hits(query)
        if hits is not None:
            return hits.items.bit_count()
        listing = self._listing(query, None, None, False)
        prepared = statement(self._connection, ("count", listing), lambda: counted(listing))
        return int(prepared.rows(self._connection, self._values(query, None))[0][0])

    def _ranked(self, hits: Hits, count: int, after: Sequence[int | str] | None, skip: int) -> ItemPage:
        best = hits.best(count + 1, skip, None if after is None else _place(after))
        shown = best[:count]
        rows = self._rows([number for _, number in shown])
        total = hits.items.bit_count()
        found = self._items([rows[number] for _, number in shown if number in rows])
        return ItemPage(found, shown[-1] if len(best) > count and shown else None, total)

    def _rows(self, numbers: Sequence[int]) -> Mapping[int, Sequence[Any]]:
        if not numbers:
            return {}
        dialect = self._connection.dialect.name
        bodies = self._reads_bodies(len(numbers))
        prepared = statement(self._connection, ("numbered", bodies), lambda: numbered(dialect, bodies))
        rows = prepared.rows(self._connection, {"hits": as_list(self._connection, numbers)})
        return {row[0]: row for row in rows}

    def _hits(self, query: ItemQuery) -> Hits | None:
        """Return what the text of a query finds; None if it has none."""
        text = parse(query.text)
        if text is None:
            return None
        self._flush()
        kinds = [*map(self._kind, dict.fromkeys(query.kinds))]
        tags = tag_names(query.tags)
        wanted = HitsWanted(text, kinds, query.states, tags, query.any_tag, self._now)
        return find_hits(self._connection, wanted)

    def _reads_bodies(self, count: int) -> bool:
        """True if whole bodies are read sooner than SQLite counts their letters, and fit into memory."""
        return count <= _PAGE and self._connection.dialect.name == "sqlite"

    def _listing(
        self, query: ItemQuery, hits: Hits | None, after: Sequence[int | str] | None, bodies: bool
    ) -> ItemListing:
        return ItemListing(
            kinds=len(dict.fromkeys(query.kinds)),
            states=tuple(query.states),
            tags=0 if hits else len(tag_names(query.tags)),
            any_tag=query.any_tag,
            has_text=hits is not None,
            sort=query.sort if query.sort in KEYS else "created_at",
            ascending=query.ascending,
            is_after=after is not None,
            bodies=bodies,
        )

    def _values(self, query: ItemQuery, hits: Hits | None) -> dict[str, Any]:
        values: dict[str, Any] = {"now": self._now}
        values |= {f"kind{number}": kind for number, kind in enumerate(dict.fromkeys(query.kinds))}
        if hits is not None:
            return {"hits": as_list(self._connection, members(hits.items))}
        return values | {f"filter{number}": tag for number, tag in enumerate(tag_names(query.tags))}


def _place(after: Sequence[int | str]) -> tuple[int, int]:
    match after:
        case [int(rank), int(number)] if number >= 0:
            return rank, bounded(number)
    raise BadValue("The search was started by another version of the program; search again.", "cursor")
