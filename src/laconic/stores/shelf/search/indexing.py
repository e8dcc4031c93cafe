"""Indexing: what search looks at, written in the same transaction as the item itself.

Changes are gathered and written at the end of the transaction, each set of items once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from laconic.stores.shelf.models import ItemKind
from laconic.stores.shelf.revising import Revising
from laconic.stores.shelf.search.changes import IndexChanges
from laconic.stores.shelf.search.postings import ALL, of_tag, terms_of
from laconic.stores.shelf.search.words import FIELDS, fold
from laconic.stores.shelf.tables import ITEM_TAGS, TEXTS

__all__ = ["Indexing"]


class Indexing(Revising):
    """Keeps the folded texts of items, and which item has which term."""

    def __init__(self, connection: Connection, kinds: Mapping[str, ItemKind], now: datetime) -> None:
        super().__init__(connection, kinds, now)
        self._changes = IndexChanges(connection)

    def finish(self) -> None:
        """Write what was gathered, then count the changes."""
        self._flush()
        super().finish()

    def _flush(self) -> None:
        self._changes.write()

    def _index(self, row: Row[Any]) -> None:
        """Bring the index of an item up to date."""
        folded = {field: fold(getattr(row, field)) for field in FIELDS}
        texts = select(*(TEXTS.c[field] for field in FIELDS)).where(TEXTS.c.item == row.n)
        old = self._connection.execute(texts).one_or_none()
        if old is None:
            self._connection.execute(insert(TEXTS).values(item=row.n, **folded))
            self._changes.put(row.kind, row.n, 0, [ALL])
        else:
            changed = {field: new for field, new in folded.items() if new != getattr(old, field)}
            if changed:
                self._connection.execute(update(TEXTS).where(TEXTS.c.item == row.n).values(changed))
        for place, field in enumerate(FIELDS):
            self._index_field(row, place, "" if old is None else getattr(old, field), folded[field])
        self._changes.write_if_many()

    def _index_field(self, row: Row[Any], place: int, old: str, new: str) -> None:
        if old != new:
            before, after = terms_of(old), terms_of(new)
            self._changes.take(row.kind, row.n, place, before - after)
            self._changes.put(row.kind, row.n, place, after - before)

    def _forget(self, number: int, kind: str) -> None:
        """Take an item out of the index."""
        texts = select(*(TEXTS.c[field] for field in FIELDS)).where(TEXTS.c.item == number)
        old = self._connection.execute(texts).one_or_none()
        for place, text in enumerate(old or ()):
            self._changes.take(kind, number, place, terms_of(text))
        tags = select(ITEM_TAGS.c.tag).where(ITEM_TAGS.c.item == number)
        self._index_tags(number, kind, self._connection.scalars(tags).all(), ())
        self._changes.take(kind, number, 0, [ALL])
        self._connection.execute(delete(TEXTS).where(TEXTS.c.item == number))

    def _index_tags(self, number: int, kind: str, old: Iterable[int], new: Iterable[int]) -> None:
        self._changes.take(kind, number, 0, map(of_tag, {*old} - {*new}))
        self._changes.put(kind, number, 0, map(of_tag, {*new} - {*old}))
