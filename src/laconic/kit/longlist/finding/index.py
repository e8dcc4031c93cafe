"""The index: which tools use which words, scored with BM25 over their stems."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from laconic.kit.longlist.finding.words import name_words, plain_words, query_words, stem

__all__ = ["Findable", "ToolIndex"]

_SATURATION, _LENGTH = 1.2, 0.75  # k1 and b of BM25


class Findable(Protocol):
    """What the finder needs to know about a tool."""

    @property
    def name(self) -> str:
        """Its name, in any case."""

    @property
    def description(self) -> str:
        """What it does."""

    @property
    def parameters(self) -> Sequence[str]:
        """The names of its parameters."""

    @property
    def toolset(self) -> str:
        """The name of its toolset."""

    @property
    def says(self) -> Sequence[str]:
        """Phrases of people who want it, brought by its toolset."""


class ToolIndex:
    """Tools by the stems of their names, descriptions and parameters; tools are numbered in their order."""

    def __init__(self, entries: Sequence[Findable]) -> None:
        self._bags = [Counter(map(stem, _words(entry))) for entry in entries]
        self._often = Counter(word for bag in self._bags for word in bag)
        self._mean = sum(bag.total() for bag in self._bags) / (len(entries) or 1)

    def scores(self, query: str) -> dict[int, float]:
        """Return the tools that use a word of the query, with how well they fit."""
        words = {stem(word) for word in query_words(query)} & self._often.keys()
        rare = {word: self._rarity(self._often[word]) for word in words}
        scores = {number: self._score(bag, rare) for number, bag in enumerate(self._bags)}
        return {number: score for number, score in scores.items() if score}

    def _rarity(self, count: int) -> float:
        return math.log(1 + (len(self._bags) - count + 0.5) / (count + 0.5))

    def _score(self, bag: Counter[str], rare: dict[str, float]) -> float:
        length = _SATURATION * (1 - _LENGTH + _LENGTH * bag.total() / self._mean)
        return sum(
            weight * bag[word] * (_SATURATION + 1) / (bag[word] + length) for word, weight in rare.items()
        )


def _words(entry: Findable) -> list[str]:
    parameters = name_words(" ".join(entry.parameters))
    return [*name_words(entry.name), *plain_words(entry.description), *parameters]
