"""Phrases: which tools of a toolset a query resembles, by the phrases that the toolset brings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from laconic.kit.longlist.finding.index import Findable
from laconic.kit.longlist.finding.likeness import Features, Likeness
from laconic.kit.longlist.finding.words import name_words, plain_words, query_words, stem

__all__ = ["Phrasebook"]

_PAIR, _FAR_PAIR = 0.5, 0.3  # weights of two words in order, next to each other or with one between
_BORROWED = 0.12  # of the words of a tool: so many are borrowed from all tools of its toolset
_ALIKE = 4.0  # weight of single phrases beside the words of all phrases of a tool
_EMPTY = "a an the this that my our your his her its their please to of in on is are be it i"
_LEFT_OUT = frozenset(plain_words(_EMPTY))


class Phrasebook:
    """How people ask for the tools of one toolset; tools are numbered."""

    def __init__(self, tools: Mapping[int, Findable]) -> None:
        self.tools = frozenset(tools)
        features = cache(lambda phrase: _features(query_words(phrase)))  # several tools may share a phrase
        said = {number: list(_said(tool, features)) for number, tool in tools.items()}
        self._likeness = Likeness((number, one) for number, several in said.items() for one in several)
        own = {number: _heard(several) for number, several in said.items()}
        sizes = {number: sum(heard.values()) for number, heard in own.items()}
        smooth = _BORROWED * sum(sizes.values()) / len(own)
        self._signs = _signs(own, sizes, smooth)
        self._silent = {number: math.log(smooth / (size + smooth)) for number, size in sizes.items()}

    def nearest(self, query: str) -> dict[int, float]:
        """Return the tools whose phrases the query resembles, with how much."""
        features = _features(query_words(query))
        known = {word: weight for word, weight in features.items() if word in self._signs}
        length = math.sqrt(sum(known.values())) or 1.0
        alike = self._likeness.of(features)
        evidence = {number: sum(known.values()) * silent for number, silent in self._silent.items()}
        for word, weight in known.items():
            for number, sign in self._signs[word].items():
                evidence[number] += weight * (sign - self._silent[number])
        near = {number: much / length + _ALIKE * alike.get(number, 0.0) for number, much in evidence.items()}
        return {number: much for number, much in near.items() if much > 0}


def _signs(
    own: Mapping[int, Counter[str]], sizes: Mapping[int, float], smooth: float
) -> dict[str, dict[int, float]]:
    """Return for each word how much it is evidence for each tool that is said with it."""
    usual: Counter[str] = Counter()
    for heard in own.values():
        usual.update(heard)
    all_words = sum(sizes.values())
    signs: dict[str, dict[int, float]] = {word: {} for word in usual}
    for number, heard in own.items():
        for word, often in heard.items():
            share = usual[word] / all_words
            its = (often + smooth * share) / (sizes[number] + smooth)
            signs[word][number] = math.log(its / share)
    return signs


def _said(tool: Findable, features: Callable[[str], Features]) -> Iterator[Features]:
    """Yield what occurs in a tool's name, in its description and in each of its phrases."""
    yield _features(name_words(tool.name))
    yield from map(features, (tool.description, *tool.says))


def _heard(said: Iterable[Features]) -> Counter[str]:
    """Return how often words and pairs of words occur in all that is said of a tool."""
    heard: Counter[str] = Counter()
    for found in said:
        for word, weight in found.items():
            heard[word] += weight  # type: ignore[assignment]  # a Counter of weights
    return heard


def _features(words: Sequence[str]) -> dict[str, float]:
    stems = [stem(word) for word in words if word not in _LEFT_OUT]
    near = {f"{one} {two}": _PAIR for one, two in pairwise(stems)}
    far = {f"{one} … {two}": _FAR_PAIR for one, two in zip(stems, stems[2:], strict=False)}
    return {**dict.fromkeys(stems, 1.0), **near, **far}
