"""Ranking: which items a query finds, and their ranks, from sets of items alone.

A rank is kept as sets, too: one for each binary digit of it, so that points are added to all items at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Final

from laconic.stores.shelf.models import ItemKind
from laconic.stores.shelf.search.language import Clause, TextQuery
from laconic.stores.shelf.search.postings import ALL, Postings, of_stem
from laconic.stores.shelf.search.words import FIELDS

__all__ = ["Ranking", "Ranks"]

_TAG: Final = 400  # the weight of a tag that is one of the words


class Ranks:
    """The ranks of some items; 0 for all others."""

    def __init__(self) -> None:
        self._digits: list[int] = []

    def add(self, items: int, points: int) -> None:
        """Add points to the rank of these items."""
        for place in range(points.bit_length() if items else 0):
            carried = items if points >> place & 1 else 0
            while carried:
                self._digits += [0] * (place + 1 - len(self._digits))
                self._digits[place], carried = self._digits[place] ^ carried, self._digits[place] & carried
                place += 1

    def join(self, others: Ranks) -> None:
        """Take over the ranks of items that have none here."""
        missing = len(others._digits) - len(self._digits)
        self._digits += [0] * missing
        for place, items in enumerate(others._digits):
            self._digits[place] |= items

    def double(self, items: int) -> None:
        """Double the rank of these items."""
        above = [digit & items for digit in self._digits]
        rest = [digit & ~items for digit in self._digits]
        self._digits = [low | high for low, high in zip([*rest, 0], [0, *above], strict=True)]

    def best_first(self, items: int) -> Iterator[tuple[int, int]]:
        """Return each rank that one of these items has, the highest first, with the items that have it."""
        return self._from(len(self._digits) - 1, items, 0)

    def _from(self, place: int, items: int, rank: int) -> Iterator[tuple[int, int]]:
        if not items:
            return
        if place < 0:
            yield rank, items
            return
        has_digit = items & self._digits[place]
        yield from self._from(place - 1, has_digit, rank | 1 << place)
        yield from self._from(place - 1, items ^ has_digit, rank)


@dataclass(frozen=True)
class Ranking:
    """What a query finds among items of one kind, and how they rank."""

    query: TextQuery
    kind: ItemKind
    postings: Postings
    texts: Mapping[str, Mapping[tuple[str, int], int]]

    def hits(self) -> int:
        """Return the items of which an alternative holds, or that have the whole text."""
        alternatives = (self._all_of(clauses) for clauses in self.query.alternatives)
        return reduce(or_, alternatives, self._with_text(self.query.whole))

    def ranks(self) -> Ranks:
        """Return the rank of each item."""
        found = Ranks()
        weights = [getattr(self.kind, field) for field in FIELDS]
        for word in self.query.words:
            for field, weight in enumerate(weights):
                found.add(self.postings.of(self.kind.word, field, of_stem(word)), weight)
        wanted = [clause for one in self.query.alternatives for clause in one if clause.is_wanted]
        for text in {self.query.whole, *(clause.text for clause in wanted if not clause.words)}:
            self._add_best(found, text, weights)
        for clause in wanted:
            if clause.words:
                found.add(self.postings.tagged(self.kind.word, clause.text), _TAG)
        return found

    def _add_best(self, found: Ranks, text: str, weights: list[int]) -> None:
        """Add the weight of the best field that contains a text."""
        counted = 0
        for field in sorted(range(len(weights)), key=lambda field: -weights[field]):
            items = self.texts[text][self.kind.word, field] & ~counted
            found.add(items, weights[field])
            counted |= items

    def _all_of(self, clauses: tuple[Clause, ...]) -> int:
        wanted = [self._held(clause) for clause in clauses if clause.is_wanted]
        every = reduce(and_, wanted) if wanted else self.postings.of(self.kind.word, 0, ALL)
        unwanted = (self._held(clause) for clause in clauses if not clause.is_wanted)
        return every & ~reduce(or_, unwanted, 0)

    def _held(self, clause: Clause) -> int:
        """Return the items that have a word, phrase or tag, whether it is wanted or not."""
        if not clause.words:
            return self._with_text(clause.text)
        tagged = self.postings.tagged(self.kind.word, clause.text)
        return reduce(and_, map(self._with_word, clause.words)) | tagged

    def _with_text(self, text: str) -> int:
        found = self.texts[text]
        return reduce(or_, (found[self.kind.word, field] for field in range(len(FIELDS))))

    def _with_word(self, word: str) -> int:
        term = of_stem(word)
        return reduce(or_, (self.postings.of(self.kind.word, field, term) for field in range(len(FIELDS))))
