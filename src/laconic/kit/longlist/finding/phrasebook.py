"""The phrasebook: which of the ways to say what tools do a question sounds like, read from phrases.txt."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from laconic.kit.longlist.finding.thesaurus import Meaning, Thesaurus, meaning, thesaurus
from laconic.kit.longlist.finding.words import START, Said, plain_words, said, stem

__all__ = ["Phrasebook", "Sense", "phrasebook"]

_SAME, _PAIR, _FAR_PAIR = 0.4, 0.5, 0.3  # how much a word of the same meaning counts, and two words in order
_SMOOTH = 20.0  # how many words a sense takes over from others, of each kind of other
_LIKE = 0.35  # how near a sense must be to be thought of, by the nearest
_ANY = "<any>"
_EMPTY = "a an the this that these those my our your his her its their please to of in on is are be it i"
_LEFT_OUT = frozenset([START, *plain_words(_EMPTY)])

Features = dict[str, float]


@dataclass(frozen=True)
class Sense:
    """What phrases mean: a tool that says every one of these, and does one of these things."""

    means: Meaning
    effects: frozenset[str]


class _Speech:
    """How often the words of some phrases are said."""

    def __init__(self) -> None:
        self.often: Features = defaultdict(float)
        self._all = 0.0

    def hear(self, words: Features) -> None:
        """Count the words of one more phrase, or of many."""
        for word, weight in words.items():
            self.often[word] += weight
        self._all += sum(words.values())

    def share(self, word: str, usual: float = 0.0, smooth: float = 0.0) -> float:
        """The share of a word; where little was heard, more what is usual."""
        return (self.often.get(word, 0.0) + smooth * usual) / (self._all + smooth)


class Phrasebook:
    """Phrases by what they mean.

    How likely a word is in a sense is learnt from the phrases of the sense, and to a lesser degree from those
    of all senses that do the same or are about the same thing.
    """

    def __init__(self, text: str, known: Thesaurus) -> None:
        self.senses: list[Sense] = []
        self._known = known
        self._anything: frozenset[str] = frozenset()
        self._everywhere = _Speech()
        self._own: list[_Speech] = []
        self._kin: dict[object, _Speech] = defaultdict(
            _Speech
        )  # by their effects, or by a part of what they mean
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
            own.hear(self._features(said(phrase)))
        for others in (
            self._everywhere,
            self._kin[sense.effects],
            *(self._kin[part] for part in sense.means),
        ):
            others.hear(own.often)
        self.senses.append(sense)
        self._own.append(own)

    def _features(self, question: Said) -> Features:
        """Its words, those of the same meaning, and its pairs of neighbours, near and next to near."""
        stems = [stem(word) for word in question.words if word not in _LEFT_OUT]
        words = [_ANY if word in self._anything else word for word in stems]
        own = {word: 1.0 for word in words if word != _ANY}
        same = {other: _SAME for word in own for other in self._known.same.get(word, ())}
        near = {f"{one} {two}": _PAIR for one, two in pairwise(words)}
        far = {f"{one} {two}": _FAR_PAIR for one, two in zip(words, words[2:], strict=False)}
        return same | own | far | near

    def _signs(self, word: str) -> list[float]:
        """How much a word speaks for each sense, or against it."""
        usual = self._everywhere.share(word)
        like = {kin: speech.share(word, usual, _SMOOTH) for kin, speech in self._kin.items()}
        signs = []
        for sense, own in zip(self.senses, self._own, strict=True):
            parts = sum(like[part] for part in sense.means) / len(sense.means)
            expected = (usual + like[sense.effects] + parts) / 3
            signs.append(math.log(own.share(word, expected, 3 * _SMOOTH) / usual))
        return signs

    def nearest(self, question: Said) -> dict[Sense, float]:
        """How much the question sounds like each sense; what it sounds much less like is left out."""
        heard = self._everywhere.often
        words = {word: weight for word, weight in self._features(question).items() if word in heard}
        signs = [(weight, self._signs(word)) for word, weight in words.items()]
        length = math.sqrt(sum(words.values())) or 1.0
        found = [sum(weight * sign[n] for weight, sign in signs) / length for n in range(len(self.senses))]
        least = max(0.0, *found) * _LIKE
        return {sense: near for sense, near in zip(self.senses, found, strict=True) if near > least}


@cache
def phrasebook() -> Phrasebook:
    """The one that comes with the kit; read on first use."""
    text = Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8")
    return Phrasebook(text, thesaurus())
