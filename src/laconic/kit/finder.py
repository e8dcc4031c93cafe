"""Finding tools by plain words: BM25 over names, descriptions and parameters, with synonyms."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Protocol

from laconic.text import synonyms_of

__all__ = ["Described", "Finder"]

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NOISE = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "for",
        "from",
        "how",
        "i",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "my",
        "of",
        "on",
        "one",
        "or",
        "our",
        "please",
        "some",
        "that",
        "the",
        "this",
        "those",
        "to",
        "up",
        "want",
        "what",
        "when",
        "where",
        "which",
        "who",
        "with",
        "would",
        "you",
        "your",
    ]
)
_WEIGHTS = {"name": 3.0, "description": 1.5, "parameters": 0.5}
_SYNONYM = 0.6  # of the weight of the word itself
_K1, _B = 1.2, 0.4


class Described(Protocol):
    """What a tool must say of itself to be found."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def description(self) -> str:
        """What it does."""

    @property
    def words(self) -> list[str]:
        """Its parameters' names."""


class Finder:
    """An index of tools; made once."""

    def __init__(self, tools: Iterable[Described]) -> None:
        self._names: list[str] = []
        self._bags: list[Counter[str]] = []
        for tool in tools:
            self._names.append(tool.name)
            self._bags.append(_bag(tool))
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, bag in enumerate(self._bags):
            for word, weight in bag.items():
                self._postings[word].append((number, weight))
        sizes = [sum(bag.values()) for bag in self._bags]
        self._size = sum(sizes) / len(sizes) if sizes else 1.0
        self._sizes = sizes

    def find(self, query: str, limit: int) -> list[str]:
        """The names of the tools that fit best, best first."""
        scores: dict[int, float] = defaultdict(float)
        for raw in dict.fromkeys(_plain(query)):
            word = stem(raw)
            best: dict[int, float] = {}
            for other in {
                word,
                *(stem(one) for one in synonyms_of(raw) | synonyms_of(raw.removesuffix("s"))),
            }:
                share = 1.0 if other == word else _SYNONYM
                for number, weight in self._postings.get(other, ()):
                    best[number] = max(best.get(number, 0.0), share * self._score(other, number, weight))
            for number, score in best.items():
                scores[number] += score
        order = sorted(scores, key=lambda number: (-scores[number], self._names[number]))
        return [self._names[number] for number in order[:limit]]

    def _score(self, word: str, number: int, weight: float) -> float:
        found = len(self._postings[word])
        rarity = math.log(1 + (len(self._names) - found + 0.5) / (found + 0.5))
        length = 1 - _B + _B * self._sizes[number] / self._size
        return rarity * weight * (_K1 + 1) / (weight + _K1 * length)


def _bag(tool: Described) -> Counter[str]:
    bag: Counter[str] = Counter()
    parts = {"name": tool.name, "description": tool.description, "parameters": " ".join(tool.words)}
    for part, text in parts.items():
        for word in dict.fromkeys(_words(text)):
            bag[word] += _WEIGHTS[part]  # type: ignore[assignment]  # weights, not counts
    return bag


def _plain(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if word.lower() not in _NOISE]


def _words(text: str) -> list[str]:
    return [stem(word) for word in _plain(text)]


def stem(word: str) -> str:
    """Bring a word to a common form: plural, -ing and -ed endings go."""
    for end, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(end) and len(word) - len(end) >= 3 and not word.endswith("ss"):
            word = word[: len(word) - len(end)] + instead
            break
    return word.removesuffix("e") if len(word) > 3 else word
