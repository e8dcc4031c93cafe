"""Phrases: which tools of a toolset a query resembles, by the phrases that the toolset brings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from laconic.kit.longlist.finding.index import Findable
from laconic.kit.longlist.finding.words import name_words, plain_words, query_words, stem

__all__ = ["Phrasebook"]

_PAIR, _FAR_PAIR = 0.5, 0.3  # weights of two words in order, next to each other or with one between
_BORROWED = 0.12  # of the words of a tool: so many are borrowed from all tools of its toolset
_EMPTY = "a an the this that my our your his her its their please to of in on is are be it i"
_LEFT_OUT = frozenset(plain_words(_EMPTY))


class Phrasebook:
    """How people ask for the tools of one toolset; tools are numbered."""

    def __init__(self, tools: Mapping[int, Findable]) -> None:
        self.tools = frozenset(tools)
        features = cache(lambda phrase: _features(query_words(phrase)))  # several tools may share a phrase
        self._own = {number: _heard(tool, features) for number, tool in tools.items()}
        self._all: Counter[str] = Counter()
        for heard in self._own.values():
            self._all.update(heard)
        self._sizes = {number: sum(heard.values()) for number, heard in self._own.items()}
        self._size = sum(self._sizes.values())
        self._smooth = _BORROWED * self._size / len(self._own)

    def nearest(self, query: str) -> dict[int, float]:
        """Return the tools whose phrases the query resembles, with how much."""
        known = {word: weight for word, weight in _features(query_words(query)).items() if word in self._all}
        length = math.sqrt(sum(known.values())) or 1.0
        near = {
            number: sum(weight * self._sign(word, number) for word, weight in known.items()) / length
            for number in self._own
        }
        return {number: much for number, much in near.items() if much > 0}

    def _sign(self, word: str, number: int) -> float:
        """Return how much a word is evidence for a tool, or against it."""
        usual = self._all[word] / self._size
        own = (self._own[number][word] + self._smooth * usual) / (self._sizes[number] + self._smooth)
        return math.log(own / usual)


def _heard(tool: Findable, features: Callable[[str], Mapping[str, float]]) -> Counter[str]:
    """Return how often words and pairs of words occur in a tool's phrases, name and description."""
    heard: Counter[str] = Counter()
    for found in (_features(name_words(tool.name)), *map(features, (tool.description, *tool.says))):
        for word, weight in found.items():
            heard[word] += weight  # type: ignore[assignment]  # a Counter of weights
    return heard


def _features(words: Sequence[str]) -> dict[str, float]:
    stems = [stem(word) for word in words if word not in _LEFT_OUT]
    near = {f"{one} {two}": _PAIR for one, two in pairwise(stems)}
    far = {f"{one} … {two}": _FAR_PAIR for one, two in zip(stems, stems[2:], strict=False)}
    return {**dict.fromkeys(stems, 1.0), **near, **far}
