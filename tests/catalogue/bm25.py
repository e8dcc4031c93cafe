"""The baseline of tool search: BM25 over the stems of names, descriptions and parameters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from laconic.kit.longlist.finding.words import name_words, plain_words, stem
from tests.catalogue.google import Tool

__all__ = ["bm25"]

_K1, _B = 1.2, 0.75


def bm25(tools: Sequence[Tool]) -> Callable[[str], list[str]]:
    """Return a function that ranks tools for a query."""
    texts = [
        [*name_words(t.name), *plain_words(t.description), *name_words(" ".join(t.parameters))] for t in tools
    ]
    bags = [Counter(map(stem, words)) for words in texts]
    often = Counter(word for bag in bags for word in bag)
    mean = sum(map(len, texts)) / len(texts)

    def score(bag: Counter[str], words: set[str]) -> float:
        length = _K1 * (1 - _B + _B * bag.total() / mean)
        rare = {word: math.log(1 + (len(bags) - often[word] + 0.5) / (often[word] + 0.5)) for word in words}
        return sum(rare[word] * bag[word] * (_K1 + 1) / (bag[word] + length) for word in words)

    def rank(query: str) -> list[str]:
        words = set(map(stem, plain_words(query)))
        scores = [score(bag, words) for bag in bags]
        best = sorted(range(len(tools)), key=lambda number: -scores[number])
        return [tools[number].name for number in best if scores[number] > 0]

    return rank
