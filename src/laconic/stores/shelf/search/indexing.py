"""Indexing: what search looks at, written in the same transaction as the item itself."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from laconic.stores.shelf.ground import Ground
from laconic.stores.shelf.search.asked import FIELDS
from laconic.stores.shelf.search.vocabulary import learn
from laconic.stores.shelf.search.words import fold, weigh
from laconic.stores.shelf.tables import TEXTS, WORDS

__all__ = ["Indexing"]


class Indexing(Ground):
    """Keeps the folded texts and the words of items."""

    def _index(self, row: Row[Any]) -> None:
        """Bring the index of an item up to date; only words that came, went or moved are written."""
        folded = {field: fold(getattr(row, field)) for field in FIELDS}
        known = self._connection.execute(update(TEXTS).where(TEXTS.c.item == row.n).values(folded))
        if not known.rowcount:
            self._connection.execute(insert(TEXTS).values(item=row.n, **folded))
        old = dict(
            self._connection.execute(select(WORDS.c.word, WORDS.c.weight).where(WORDS.c.item == row.n)).all()
        )
        new = weigh(folded, self._kind(row.kind).weights())
        self._write_words(row.n, old, new)
        learn(self._connection, folded.values())

    def _write_words(self, item: int, old: dict[str, int], new: dict[str, int]) -> None:
        gone = [word for word in old if new.get(word) != old[word]]
        for start in range(0, len(gone), 500):
            some = gone[start : start + 500]
            self._connection.execute(delete(WORDS).where(WORDS.c.item == item, WORDS.c.word.in_(some)))
        rows = [
            {"item": item, "word": word, "weight": weight}
            for word, weight in sorted(new.items())
            if old.get(word) != weight
        ]
        if rows:
            self._connection.execute(insert(WORDS), rows)
