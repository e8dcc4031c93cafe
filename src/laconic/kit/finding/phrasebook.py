"""The phrasebook: which of the ways to say what tools do a question is nearest to, read from phrases.txt."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from laconic.kit.finding.thesaurus import Meaning, Thesaurus, meaning, thesaurus
from laconic.kit.finding.words import START, Said, plain_words, said, stem

__all__ = ["Phrasebook", "Sense", "phrasebook"]

_SAME = 0.4  # how much a word of the same meaning counts
_MORE = 0.3  # how much the next three phrases of a sense count beside the nearest
_SHORT = 25.0  # keeps a phrase of one word from being very near to everything with that word
_ANY = "<any>"
_EMPTY = "a an the this that these those my our your his her its their please to of in on is are be it i"
_LEFT_OUT = frozenset([START, *plain_words(_EMPTY)])

Features = dict[str, float]


@dataclass(frozen=True)
class Sense:
    """What phrases mean: a tool that says every one of these, and does one of these things."""

    means: Meaning
    effects: frozenset[str]


class Phrasebook:
    """Phrases by their words."""

    def __init__(self, text: str, known: Thesaurus) -> None:
        self.senses: list[Sense] = []
        self._known = known
        self._anything: frozenset[str] = frozenset()
        self._of: list[int] = []  # the sense of each phrase
        self._index([self._features(said(phrase)) for phrase in self._phrases(text)])

    def _phrases(self, text: str) -> list[str]:
        phrases: list[str] = []
        for block in text.split("\n\n"):
            head, *lines = [line for line in block.splitlines() if not line.startswith("#")]
            if head.startswith("anything: "):
                self._anything = frozenset(map(stem, head.split()[1:]))
                continue
            effects = frozenset(word[1:] for word in head.split() if word[0] == "+")
            self.senses.append(Sense(meaning(head.split()), effects))
            found = " ".join(line.strip() for line in lines).split("; ")
            phrases += found
            self._of += [len(self.senses) - 1] * len(found)
        return phrases

    def _index(self, phrases: list[Features]) -> None:
        often = Counter(word for phrase in phrases for word, weight in phrase.items() if weight == 1.0)
        self._rarity = {word: _rarity(len(phrases), count) for word, count in often.items()}
        self._unheard = _rarity(len(phrases), 0)
        self._places: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, phrase in enumerate(phrases):
            for word, weight in self._scaled(phrase).items():
                self._places[word].append((number, weight))

    def _features(self, question: Said) -> Features:
        """Its words, those of the same meaning, and its pairs of neighbours."""
        stems = [stem(word) for word in question.words if word not in _LEFT_OUT]
        words = [_ANY if word in self._anything else word for word in stems]
        own = {word: 1.0 for word in words if word != _ANY}
        same = {other: _SAME for word in own for other in self._known.same.get(word, ())}
        pairs = {f"{one} {two}": 1.0 for one, two in pairwise(words)}
        return same | own | pairs

    def _scaled(self, features: Features) -> Features:
        """Rare words count more; a long phrase no more than a short one."""
        heavy = {word: weight * self._rarity.get(word, self._unheard) for word, weight in features.items()}
        own = sum(heavy[word] ** 2 for word, weight in features.items() if weight == 1.0)
        length = math.sqrt(_SHORT + own)
        return {word: weight / length for word, weight in heavy.items()}

    def nearest(self, question: Said) -> dict[Sense, float]:
        """How near the question is to each sense that shares a word with it."""
        scores: dict[int, float] = defaultdict(float)
        for word, weight in self._scaled(self._features(question)).items():
            for number, other in self._places.get(word, ()):
                scores[number] += weight * other
        by_sense: dict[int, list[float]] = defaultdict(list)
        for number, score in scores.items():
            by_sense[self._of[number]].append(score)
        return {self.senses[number]: _nearness(found) for number, found in by_sense.items()}


def _rarity(of: int, count: int) -> float:
    return math.log(1 + (of - count + 0.5) / (count + 0.5))


def _nearness(scores: list[float]) -> float:
    best, *others = sorted(scores, reverse=True)
    return best + _MORE * sum(others[:3])


@cache
def phrasebook() -> Phrasebook:
    """The one that comes with the kit; read on first use."""
    text = Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8")
    return Phrasebook(text, thesaurus())
