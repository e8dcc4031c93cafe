"""Hits: what a text finds among items of some kinds and states, as a set with ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import and_, or_
from typing import Final

from sqlalchemy import Connection

from laconic.stores.database.rows import read_rows
from laconic.stores.shelf.models import ItemKind, State
from laconic.stores.shelf.names import is_name
from laconic.stores.shelf.search.language import TextQuery
from laconic.stores.shelf.search.postings import ALL, Postings, highest, of_stem, set_of
from laconic.stores.shelf.search.ranking import Ranking, Ranks
from laconic.stores.shelf.search.seeking import located, seek
from laconic.stores.shelf.statements import as_list

__all__ = ["Hits", "HitsWanted", "find_hits"]

_EVER: Final = -(2**62)  # before every time
_AWAY: Final = (
    "SELECT n, true FROM items WHERE kind {1} AND deleted_at > {0} UNION ALL SELECT n, false FROM items"
    " WHERE kind {1} AND deleted_at IS NULL AND archived_at > {0} AND archived_at <= {0}"
)
_AWAY_IN: Final = {
    True: _AWAY.format("?", "IN (SELECT value FROM json_each(?))"),
    False: _AWAY.format("%s", "= ANY(%s)"),
}


@dataclass(frozen=True)
class HitsWanted:
    """What is looked for, among which items; `tags` all of them or one."""

    text: TextQuery
    kinds: Sequence[ItemKind]
    states: Sequence[State]
    tags: Sequence[str]
    any_tag: bool
    now: int


@dataclass(frozen=True)
class Hits:
    """Items, and how they rank."""

    items: int
    ranks: Ranks

    def best(self, count: int, skip: int = 0, after: tuple[int, int] | None = None) -> list[tuple[int, int]]:
        """Return the best ones after so many, or after a place, as rank and number; new ones before old."""
        return [*islice(self._ordered(skip, after), count)]

    def _ordered(self, skip: int, after: tuple[int, int] | None) -> Iterator[tuple[int, int]]:
        for rank, items in self.ranks.best_first(self.items):
            if after is not None and rank >= after[0]:
                items &= (1 << after[1]) - 1 if rank == after[0] else 0
            size = items.bit_count()
            if size <= skip:
                skip -= size
                continue
            for number in highest(_lowest(items, size - skip) if skip else items):
                yield rank, number
            skip = 0


def _lowest(items: int, count: int) -> int:
    """Return so many of the items with the lowest numbers."""
    low, high = 0, items.bit_length()
    while low < high:
        middle = (low + high) // 2
        if (items & (1 << middle) - 1).bit_count() < count:
            low = middle + 1
        else:
            high = middle
    return items & (1 << low) - 1


def find_hits(connection: Connection, wanted: HitsWanted) -> Hits:
    """Find what is looked for."""
    kinds = [kind.word for kind in wanted.kinds]
    clauses = [clause for one in wanted.text.alternatives for clause in one]
    texts = {wanted.text.whole, *(clause.text for clause in clauses if not clause.words)}
    sought = [seek(connection, text) for text in sorted(texts)]
    names = {clause.text for clause in clauses if clause.words and is_name(clause.text)} | {*wanted.tags}
    terms = {term for one in sought for part in one.parts for term in part}
    terms |= {of_stem(word) for clause in clauses for word in clause.words}
    if not all(any(clause.is_wanted for clause in one) for one in wanted.text.alternatives):
        terms.add(ALL)
    postings = Postings(connection, sorted(terms), kinds, names)
    found = {one.text: located(connection, one, postings, kinds) for one in sought}
    items, ranks = 0, Ranks()
    for kind in wanted.kinds:
        ranking = Ranking(wanted.text, kind, postings, found)
        if hits := ranking.hits() & _filtered(wanted, kind.word, postings):
            items |= hits
            ranks.join(ranking.ranks())
    archived, deleted = _away(connection, kinds, wanted.now)
    sets: dict[State, int] = {"active": ~(archived | deleted), "archived": archived, "deleted": deleted}
    items &= reduce(or_, (sets[state] for state in wanted.states), 0)
    if {"active", "archived"} <= {*wanted.states}:  # what is archived counts half
        ranks.double(items & ~archived)
    return Hits(items, ranks)


def _filtered(wanted: HitsWanted, kind: str, postings: Postings) -> int:
    """Return the items with the tags that are asked for; all if there are none."""
    if not wanted.tags:
        return -1
    sets = (postings.tagged(kind, name) for name in wanted.tags)
    return reduce(or_ if wanted.any_tag else and_, sets)


def _away(connection: Connection, kinds: Sequence[str], now: int) -> tuple[int, int]:
    """Return the items that are archived now, and those in the trash."""
    archived: list[int] = []
    deleted: list[int] = []
    among = as_list(connection, kinds)
    query = _AWAY_IN[connection.dialect.name == "sqlite"]
    for number, is_deleted in read_rows(connection, query, (among, _EVER, among, _EVER, now)):
        (deleted if is_deleted else archived).append(number)
    return set_of(archived), set_of(deleted)
