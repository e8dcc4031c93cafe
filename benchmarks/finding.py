"""Tool search: how often the right tool is first or among five, beside BM25 with stems."""

from __future__ import annotations

from benchmarks.report import Result, Table
from tests.catalogue.bm25 import bm25
from tests.catalogue.counting import counted, finder_of, rescued
from tests.catalogue.judged import NAMES, UNOPENED, judged

__all__ = ["run"]


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
