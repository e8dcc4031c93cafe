"""Ranking: what of a text each item has, learned from the indexes, and the rank that follows.

The sources of a query are added up by item: the sum of the bits says what it has, that of the points counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Subquery,
    and_,
    bindparam,
    case,
    cast,
    func,
    or_,
    select,
    true,
    union_all,
)

from laconic.stores.shelf.models import ItemKind
from laconic.stores.shelf.search.asked import QueryPart, QueryShape, groups_of
from laconic.stores.shelf.search.sources import BITS, Sources, number
from laconic.stores.shelf.tables import ITEMS

__all__ = ["Ranking"]


class Ranking:
    """The parts of a query for one shape and some kinds of items."""

    def __init__(self, shape: QueryShape, kinds: Sequence[ItemKind], dialect: str) -> None:
        self._shape, self._kinds = shape, kinds
        self._groups = groups_of(kinds)
        self._sources = Sources(shape, self._groups, dialect)
        self.found = self._found()

    def is_hit(self) -> ColumnElement[bool]:
        """Return the condition that an alternative holds, or that the whole text is there."""
        alternatives = [and_(true(), *map(self._holds, parts)) for parts in self._shape.alternatives]
        return or_(self._has_text(0), *alternatives)

    def score(self) -> ColumnElement[int]:
        """Return the rank of a hit."""
        texts = [text for text, (counts, _) in enumerate(self._shape.texts) if counts]
        return reduce(add, map(self._best, texts), self.found.c.points)

    def _found(self) -> Subquery:
        rows = union_all(*self._sources.all()).subquery("rows")
        names = ["points", *(f"bits{one}" for one in range(self._sources.sums))]
        sums = [cast(func.sum(rows.c[name]), BigInteger).label(name) for name in names]
        return select(rows.c.item, *sums).group_by(rows.c.item).subquery("found")

    def _has(self, bit: int) -> ColumnElement[bool]:
        return self.found.c[f"bits{bit // BITS}"].bitwise_and(number(1 << bit % BITS)) != 0

    def _has_text(self, text: int) -> ColumnElement[bool]:
        bits = [self._sources.bit_of_text(text, place) for place in range(len(self._groups))]
        return or_(*map(self._has, bits))

    def _holds(self, part: QueryPart) -> ColumnElement[bool]:
        if part.text is not None:
            held = self._has_text(part.text)
        else:
            held = and_(*map(self._has, part.words))
            if part.tag is not None:
                held = or_(held, self._has(self._sources.bit_of_tag(part.tag)))
        return held if part.is_wanted else ~held

    def _best(self, text: int) -> ColumnElement[int]:
        """Return the weight of the best field that contains a text."""
        by_kind = [self._best_of(kind, text) for kind in self._kinds]
        if len(by_kind) == 1:
            return by_kind[0]
        of_kind = [(ITEMS.c.kind == bindparam(f"kind{place}"), best) for place, best in enumerate(by_kind)]
        return case(*of_kind, else_=0)

    def _best_of(self, kind: ItemKind, text: int) -> ColumnElement[int]:
        weights = [kind.weights()[fields[0]] for fields in self._groups]
        places = sorted(range(len(weights)), key=lambda place: -weights[place])
        hits = [
            (self._has(self._sources.bit_of_text(text, place)), number(weights[place])) for place in places
        ]
        return case(*hits, else_=0)
