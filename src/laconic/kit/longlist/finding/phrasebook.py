"""The phrasebook: phrases for what tools do, from phrases.txt, and which of them a question resembles."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from laconic.kit.longlist.finding.thesaurus import Meaning, Thesaurus, meaning, thesaurus
from laconic.kit.longlist.finding.words import START, ParsedQuestion, parse_question, plain_words, stem

__all__ = ["Phrasebook", "Sense", "phrasebook"]

_SAME, _PAIR, _FAR_PAIR = 0.4, 0.5, 0.3  # weights of synonyms, and of two words in order
_SMOOTH = 20.0  # words that a sense borrows from each kind of related sense
_LIKE = 0.35  # how similar a sense must be, relative to the most similar
_ANY = "<any>"
_EMPTY = "a an the this that these those my our your his her its their please to of in on is are be it i"
_LEFT_OUT = frozenset([START, *plain_words(_EMPTY)])

Features = dict[str, float]


@dataclass(frozen=True)
class Sense:
    """What phrases mean: a tool with all of these words, and one of these effects."""

    means: Meaning
    effects: frozenset[str]


class _Speech:
    """How often words occur in some phrases."""

    def __init__(self) -> None:
        self.often: Features = defaultdict(float)
        self._all = 0.0

    def hear(self, words: Features) -> None:
        """Count the words of one or more phrases."""
        for word, weight in words.items():
            self.often[word] += weight
        self._all += sum(words.values())

    def share(self, word: str, usual: float = 0.0, smooth: float = 0.0) -> float:
        """Return the share of a word, smoothed towards what is usual."""
        return (self.often.get(word, 0.0) + smooth * usual) / (self._all + smooth)


class Phrasebook:
    """Phrases by what they mean.

    The probability of a word in a sense is learned from the phrases of that sense and, to a lesser degree, of
    all senses with the same effect or about the same thing.
    """

    def __init__(self, text: str, known: Thesaurus) -> None:
        self.senses: list[Sense] = []
        self._known = known
        self._anything: frozenset[str] = frozenset()
        self._everywhere = _Speech()
        self._own: list[_Speech] = []
        self._kin: dict[object, _Speech] = defaultdict(_Speech)  # by effects, or by part of a meaning
        for block in text.split("\n\n"):
            self._read([line for line in block.splitlines() if not line.startswith("#")])

    def _read(self, block: list[str]) -> None:
        head, *lines = block
        if head.startswith("anything: "):
            self._anything = frozenset(map(stem, head.split()[1:]))
            return
        effects = frozenset(word[1:] for word in head.split() if word[0] == "+")
        sense = Sense(meaning(head.split()), effects)
        own = _Speech()
        for phrase in " ".join(line.strip() for line in lines).split("; "):
            own.hear(self._features(parse_question(phrase)))
        for others in (
            self._everywhere,
            self._kin[sense.effects],
            *(self._kin[part] for part in sense.means),
        ):
            others.hear(own.often)
        self.senses.append(sense)
        self._own.append(own)

    def _features(self, question: ParsedQuestion) -> Features:
        """Return the words of a question, their synonyms, and pairs of words that are near each other."""
        stems = [stem(word) for word in question.words if word not in _LEFT_OUT]
        words = [_ANY if word in self._anything else word for word in stems]
        own = {word: 1.0 for word in words if word != _ANY}
        same = {other: _SAME for word in own for other in self._known.same.get(word, ())}
        near = {f"{one} {two}": _PAIR for one, two in pairwise(words)}
        far = {f"{one} {two}": _FAR_PAIR for one, two in zip(words, words[2:], strict=False)}
        return same | own | far | near

    def _signs(self, word: str) -> list[float]:
        """Return how much a word is evidence for each sense, or against it."""
        usual = self._everywhere.share(word)
        like = {kin: speech.share(word, usual, _SMOOTH) for kin, speech in self._kin.items()}
        signs = []
        for sense, own in zip(self.senses, self._own, strict=True):
            parts = sum(like[part] for part in sense.means) / len(sense.means)
            expected = (usual + like[sense.effects] + parts) / 3
            signs.append(math.log(own.share(word, expected, 3 * _SMOOTH) / usual))
        return signs

    def nearest(self, question: ParsedQuestion) -> dict[Sense, float]:
        """Return how similar the question is to each sense; much less similar senses are left out."""
        heard = self._everywhere.often
        words = {word: weight for word, weight in self._features(question).items() if word in heard}
        signs = [(weight, self._signs(word)) for word, weight in words.items()]
        length = math.sqrt(sum(words.values())) or 1.0
        found = [sum(weight * sign[n] for weight, sign in signs) / length for n in range(len(self.senses))]
        least = max(0.0, *found) * _LIKE
        return {sense: near for sense, near in zip(self.senses, found, strict=True) if near > least}


@cache
def phrasebook() -> Phrasebook:
    """Return the phrasebook of the kit; read on first use."""
    text = Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8")
    return Phrasebook(text, thesaurus())
