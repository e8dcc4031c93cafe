"""Wishes: what a question asks for, in the words of tools."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from laconic.kit.longlist.finding.matching import idioms_in, together_in
from laconic.kit.longlist.finding.thesaurus import Idiom, Meaning, Thesaurus
from laconic.kit.longlist.finding.words import START, ParsedQuestion, likeness, singular, stem

__all__ = ["Unit", "Wish", "wish"]

_MEANT, _PROPER = 0.8, 0.45  # weights: a word that a rule adds; a capitalised word, most often a name
_LEAD, _IDIOM, _TOGETHER = 2.4, 2.8, 1.6  # how well words show the wanted effect
_TAKEN = 1.3  # words of deletion are rarely used otherwise
_PARTLY, _SURELY = 0.25, 1.8  # a rule with one part missing; a rule that is marked as sure
_ALIKE = 0.7  # how similar a misspelled word is to the right one


@dataclass
class Unit:
    """One meaning in a question, and every word that a tool may use for it."""

    main: str
    words: dict[str, float]
    in_tail: bool


@dataclass
class Wish:
    """What a question asks for."""

    units: dict[str, Unit] = field(default_factory=dict)
    effects: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    meanings: list[tuple[Meaning, frozenset[str], float]] = field(default_factory=list)
    plural: dict[str, bool] = field(default_factory=dict)  # of the words in the question

    def add(self, main: str, words: dict[str, float], in_tail: bool) -> None:
        """Add a meaning, once."""
        unit = self.units.setdefault(main, Unit(main, {}, in_tail))
        unit.in_tail = unit.in_tail and in_tail
        for word, weight in words.items():
            unit.words[word] = max(unit.words.get(word, 0.0), weight)

    def want(self, effects: Iterable[str], strength: float) -> None:
        """Count evidence for an effect."""
        for effect in effects:
            self.effects[effect] += strength * (_TAKEN if effect == "delete" else 1.0)


def wish(question: ParsedQuestion, known: Thesaurus, vocabulary: Set[str]) -> Wish:
    """Interpret a question with the thesaurus; `vocabulary` are the words of the tools."""
    return _Reader(question, known, vocabulary).read()


class _Reader:
    def __init__(self, question: ParsedQuestion, known: Thesaurus, vocabulary: Set[str]) -> None:
        self._question = question
        self._known = known
        self._vocabulary = vocabulary
        self._wish = Wish()

    def read(self) -> Wish:
        taken: set[int] = set()
        for rule, places in idioms_in(self._question, self._known):
            taken.update(places)
            self._apply(rule, _IDIOM, places[-1] if places else 0)
        for together, is_partly in together_in(self._question, self._known):
            if not is_partly:
                self._wish.want(together.effects, _TOGETHER)
            if together.means:
                strength = _PARTLY if is_partly else _SURELY if together.is_sure else 1.0
                self._wish.meanings.append((together.means, together.effects, strength))
        self._words(taken)
        self._compounds()
        return self._wish

    def _apply(self, rule: Idiom, strength: float, place: int) -> None:
        self._wish.want(rule.effects, strength)
        for words in rule.means:
            meant = self._known.standing_for(words, _MEANT)
            self._wish.add(words[0], meant, place in self._question.tail)

    def _words(self, taken: set[int]) -> None:
        is_first = True
        for place, word in enumerate(self._question.words):
            if place in taken or word == START:
                continue
            rules = [
                one for form in dict.fromkeys((stem(word), word)) for one in self._known.words.get(form, ())
            ]
            for rule in rules:
                self._apply(rule, _LEAD if is_first else 1.0, place)
            if word not in self._known.noise:
                self._word(place, word)
                is_first = False
            is_first = is_first and not any(rule.effects for rule in rules)

    def _word(self, place: int, word: str) -> None:
        base = self._corrected(stem(word))
        weight = _PROPER if place in self._question.proper else 1.0
        self._wish.add(base, self._known.standing_for((base,), weight), place in self._question.tail)
        for other in (base, *self._known.same.get(base, ())):
            self._wish.plural[other] = singular(word) != word

    def _compounds(self) -> None:
        """Add two or three words that tools write as one: `who am I`, `text box`."""
        words = self._question.words
        for length in (2, 3):
            for start in range(1, len(words) - length + 1):
                joined = stem("".join(words[start : start + length]))
                if joined in self._vocabulary:
                    self._wish.add(joined, {joined: 1.0}, start in self._question.tail)

    def _corrected(self, word: str) -> str:
        """Return the word meant by a misspelled one."""
        if len(word) < 5 or word in self._vocabulary or word in self._known.known:
            return word
        others = [one for one in {*self._vocabulary, *self._known.known} if one[:1] == word[0]]
        close = [one for one in others if abs(len(one) - len(word)) <= 2]
        best = max(close, key=lambda one: (likeness(one, word), one), default=word)
        return best if likeness(best, word) >= _ALIKE else word
