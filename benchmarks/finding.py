"""Tool search: how often the right tool is first or among five, beside BM25 with stems."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from benchmarks.bm25 import bm25
from benchmarks.report import Result, Table
from laconic.kit.longlist.finder import Finder
from tests.catalogue.judged import NAMES, UNOPENED, JudgedList, Queries, judged

__all__ = ["Hits", "counted", "finder_of", "rescued", "run"]

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


async def run(quick: bool) -> Result:
    """Count the hits on every list; `quick` makes no difference."""
    rows, kept = [], {}
    for name in NAMES:
        one = judged(name)
        plain, ours = bm25(one.tools), finder_of(one)
        hits = [counted(rank, kind) for kind in (one.keywords, one.wishes) for rank in (plain, ours)]
        found, missed = rescued(ours, plain, one.wishes)
        label = f"{name}, kept unopened" if name == UNOPENED else name
        rows.append([label, str(len(one.tools)), *map(str, hits), f"{found} of {missed}"])
        kept[name] = [[hit.at_1, hit.at_5, hit.queries] for hit in hits] + [[found, missed]]
    caption = (
        "A right tool first / among the first five, for keyword queries and for wishes in everyday words. "
        "*Rescued*: the wishes that BM25 misses at five and the search finds. Google's list has its phrases."
    )
    columns = ["list", "tools", "keywords: BM25", "search", "wishes: BM25", "search", "rescued"]
    return Result("finding", [Table(caption, columns, rows)], figures=kept)
