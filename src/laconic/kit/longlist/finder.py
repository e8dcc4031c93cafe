"""The finder: which tools a query in plain words is about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from laconic.kit.longlist.finding.index import Findable, ToolIndex
from laconic.kit.longlist.finding.phrases import Phrasebook

__all__ = ["USUAL", "Findable", "Finder", "Found", "best"]

USUAL: Final = 8  # tools found, unless more are asked for
_PHRASE = 8.0  # weight of a tool's phrases beside its plain score
_LEAST, _NEAR = 5, 0.4  # after so many tools, only those with this share of the best score are shown
_BY_NAME = 100.0  # a query that has a tool's name means that tool

Ranked = list[tuple[int, float]]
"""Tools by their number, with their scores, best first."""


@dataclass(frozen=True)
class Found:
    """A tool, and how well it fits."""

    tool: Findable
    score: float

    @property
    def name(self) -> str:
        """Its name."""
        return self.tool.name


class Finder:
    """Finds tools for a query in plain words; the index is made on first use."""

    def __init__(self, entries: Iterable[Findable]) -> None:
        self.entries = list(entries)

    @cached_property
    def _index(self) -> ToolIndex:
        return ToolIndex(self.entries)

    @cached_property
    def _phrasebooks(self) -> list[Phrasebook]:
        tools: dict[str, dict[int, Findable]] = defaultdict(dict)
        for number, entry in enumerate(self.entries):
            tools[entry.toolset][number] = entry
        return [Phrasebook(own) for own in tools.values() if any(tool.says for tool in own.values())]

    def find(self, query: str, limit: int = USUAL) -> list[Found]:
        """Return the tools that fit best, best first; none if no word is known.

        A limit above the usual one includes all that have something in common with the query.
        """
        return best(self.matching(query), limit)

    def matching(self, query: str) -> list[Found]:
        """Return every tool that has something in common with the query, best first."""
        scores = self._index.scores(query)
        for number in self._named(query):
            scores[number] = scores.get(number, 0.0) + _BY_NAME
        ranked = sorted(scores.items(), key=lambda one: -one[1])
        for phrases in self._phrasebooks:
            ranked = _reordered(ranked, phrases.tools, phrases.nearest(query))
        area = f"{query.strip().lower()}_"  # the whole query may be the name of an area: its tools come first
        ranked.sort(key=lambda one: not self.entries[one[0]].name.lower().startswith(area))
        return [Found(self.entries[number], score) for number, score in ranked]

    def _named(self, query: str) -> list[int]:
        names = {name.replace(".", "_") for name in re.findall(r"[\w.]+", query.lower())}
        return [n for n, entry in enumerate(self.entries) if entry.name.lower().replace(".", "_") in names]


def best(found: Sequence[Found], limit: int = USUAL) -> list[Found]:
    """Return the first of what was found; at the usual limit, without those that fit much less well."""
    if limit > USUAL:
        return [*found[:limit]]
    near = [one for place, one in enumerate(found) if place < _LEAST or one.score >= _NEAR * found[0].score]
    return near[:limit]


def _reordered(ranked: Ranked, own: frozenset[int], near: Mapping[int, float]) -> Ranked:
    """Put the tools of one toolset in the order of their phrases, without moving those of any other.

    The plain scores decide which places the toolset has; its phrases, which of its tools are there. Tools
    that only phrases point to follow at the end.
    """
    plain = {number: score for number, score in ranked if number in own}
    both = {number: plain.get(number, 0.0) + _PHRASE * near.get(number, 0.0) for number in {*plain, *near}}
    order = iter(sorted(both, key=lambda number: (-both[number], number)))
    kept = [(next(order) if number in own else number, score) for number, score in ranked]
    least = min((score for _, score in ranked), default=float("inf"))
    return kept + [(number, min(both[number], least)) for number in order]
