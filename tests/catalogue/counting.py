"""Counting: for how many queries of a judged list a ranking finds a right tool."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from laconic.kit.longlist.finder import Finder
from tests.catalogue.judged import JudgedList, Queries

Rank = Callable[[str], list[str]]


@dataclass(frozen=True)
class Hits:
    """For how many of the queries a right tool was first, and among the first five."""

    at_1: int
    at_5: int
    queries: int

    def __str__(self) -> str:
        return f"{self.at_1 / self.queries:.0%} / {self.at_5 / self.queries:.0%}".replace("%", " %")


def counted(rank: Rank, queries: Queries) -> Hits:
    """Count the hits of a ranking."""
    found = {query: rank(query) for query in queries}
    at = {most: sum(_hits(found[query][:most], right) for query, right in queries.items()) for most in (1, 5)}
    return Hits(at[1], at[5], len(queries))


def rescued(rank: Rank, baseline: Rank, queries: Queries) -> tuple[int, int]:
    """Return how many of the queries that the baseline misses at five are found, and how many there are."""
    missed = {query: right for query, right in queries.items() if not _hits(baseline(query)[:5], right)}
    return sum(_hits(rank(query)[:5], right) for query, right in missed.items()), len(missed)


def _hits(found: Iterable[str], right: Iterable[str]) -> bool:
    return not set(found).isdisjoint(right)


def finder_of(one: JudgedList) -> Rank:
    """Return the finder over a list, as `tools_find` uses it."""
    finder = Finder(one.tools)
    return lambda query: [found.name for found in finder.find(query)]
