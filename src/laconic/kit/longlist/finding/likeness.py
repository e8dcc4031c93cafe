"""Likeness: how much a query resembles single phrases of a tool, word by word and pair by pair."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping

__all__ = ["Likeness"]

_PHRASES = 8  # of a tool count, those that resemble the query most
_NEXT = 0.9  # the share that each further one of them counts

Features = Mapping[str, float]
"""Words and pairs of words, with their weights."""


class Likeness:
    """All phrases of a toolset by their features; rare features weigh more."""

    def __init__(self, said: Iterable[tuple[int, Features]]) -> None:
        self._owners = array("l")
        self._lengths = array("d")
        self._places: dict[str, tuple[array[int], array[float]]] = defaultdict(
            lambda: (array("l"), array("d"))
        )
        self._add(said)

    def _add(self, said: Iterable[tuple[int, Features]]) -> None:
        for owner, features in said:
            for feature, weight in features.items():
                phrases, weights = self._places[feature]
                phrases.append(len(self._owners))
                weights.append(weight)
            self._owners.append(owner)
        self._lengths.extend([0.0] * len(self._owners))
        for feature, (phrases, weights) in self._places.items():
            rarity = self._rarity(feature)
            for phrase, weight in zip(phrases, weights, strict=True):
                self._lengths[phrase] += (weight * rarity) ** 2

    def of(self, query: Features) -> dict[int, float]:
        """Return the tools with a phrase that shares something with the query, and how alike they are."""
        known = {
            feature: weight * self._rarity(feature)
            for feature, weight in query.items()
            if feature in self._places
        }
        length = math.sqrt(sum(weight**2 for weight in known.values()))
        shared: dict[int, float] = defaultdict(float)
        for feature, much in known.items():
            rarity = self._rarity(feature)
            for phrase, weight in zip(*self._places[feature], strict=True):
                shared[phrase] += much * weight * rarity
        alike: dict[int, list[float]] = defaultdict(list)
        for phrase, much in shared.items():
            alike[self._owners[phrase]].append(much / (length * math.sqrt(self._lengths[phrase])))
        return {owner: _together(values) for owner, values in alike.items()}

    def _rarity(self, feature: str) -> float:
        return math.log(1 + len(self._owners) / len(self._places[feature][0]))


def _together(values: list[float]) -> float:
    best = sorted(values, reverse=True)[:_PHRASES]
    return sum(value * _NEXT**place for place, value in enumerate(best))
