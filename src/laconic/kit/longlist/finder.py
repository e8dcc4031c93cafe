"""The finder: which tools a question in plain words is about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from laconic.kit.longlist.finding.index import Findable, ToolIndex
from laconic.kit.longlist.finding.phrasebook import phrasebook
from laconic.kit.longlist.finding.thesaurus import thesaurus
from laconic.kit.longlist.finding.wishes import Unit, Wish, wish
from laconic.kit.longlist.finding.words import ParsedQuestion, parse_question

__all__ = ["Findable", "Finder", "Found"]

# Weights, tuned on one half of tests/catalogue/questions.json and by leaving phrases out of the phrasebook
# and asking for them. Small changes of any weight make no difference.
_EFFECT = 3.0  # the tool has the effect that is wanted
_NAMED_AREA, _AREA = 3.2, 0.6  # it belongs to the area that is named, or that the words suggest
_OTHER_AREA = 3.0  # it belongs to an area that no word suggests, and another area is named
_RARE = 1.5  # the least weight of a word, even if every tool uses it
_THING, _TAIL, _AREA_IN_TAIL = 1.1, 0.8, 0.35  # "add a row to the table in the document" is about rows
_NUMBER, _NUMBER_OF_WRITES = 0.6, 0.25  # singular or plural, as in the question
_MEANING, _PHRASE = 3.6, 3.0  # it is what a rule means, or similar phrases
_MORE, _OTHER_EFFECT = 0.3, 0.35
_HEARD = 2.0  # how similar a phrase must be if no word is known
_DISAGREE, _SURE = 0.45, 2.0  # loss of a phrase with another effect; evidence that is enough to be sure
_BY_NAME = 100.0  # a question that has a tool's name means that tool
_USUAL = {"create": 0.4, "update": 0.2, "read": 0.1, "delete": 0.1}  # when no word shows the effect


@dataclass(frozen=True)
class Found:
    """A tool, and how well it fits."""

    tool: Findable
    score: float

    @property
    def name(self) -> str:
        """Its name."""
        return self.tool.name


class Finder:
    """Finds tools for a question in plain words; the index is made on first use."""

    def __init__(self, entries: Iterable[Findable]) -> None:
        self.entries = list(entries)

    @cached_property
    def _index(self) -> ToolIndex:
        return ToolIndex(self.entries, thesaurus())

    def find(self, query: str, limit: int = 8) -> list[Found]:
        """Return the tools that fit best, best first; none if no word is understood."""
        question = parse_question(query)
        asked = wish(question, thesaurus(), self._index.places.keys())
        scores = _Search(self.entries, self._index, question, asked).scores()
        for number in self._named(query):
            scores[number] = scores.get(number, 0.0) + _BY_NAME
        best = sorted(scores, key=lambda number: (-scores[number], self.entries[number].name))
        return [Found(self.entries[number], scores[number]) for number in best[:limit]]

    def _named(self, query: str) -> list[int]:
        names = {name.replace(".", "_") for name in re.findall(r"[\w.]+", query.lower())}
        return [n for n, entry in enumerate(self.entries) if entry.name.lower().replace(".", "_") in names]


class _Search:
    """The search for one question."""

    def __init__(
        self, entries: list[Findable], index: ToolIndex, question: ParsedQuestion, asked: Wish
    ) -> None:
        self._entries = entries
        self._index = index
        self._question = question
        self._asked = asked
        self._scores: dict[int, float] = defaultdict(float)
        self._mentioned: dict[int, set[str]] = defaultdict(set)  # the words of a tool's name in the question
        self._areas: dict[str, float] = defaultdict(float)
        self._named: set[str] = set()
        self._hinted: set[str] = set()
        self._is_understood = False

    def scores(self) -> dict[int, float]:
        for unit in self._asked.units.values():
            self._count(unit)
        self._count_meanings()
        self._count_phrases()
        if not self._is_understood:
            return {}
        return {number: self._scores[number] + self._fitness(number) for number in range(len(self._entries))}

    def _count(self, unit: Unit) -> None:
        found = self._index.using(unit.words)
        if not found:
            return
        self._is_understood = True
        marks = self._index.marks
        named = {marks[word] for word, well in unit.words.items() if well > 0.55 and word in marks}
        self._named |= named
        self._hinted |= {marks[word] for word in unit.words if word in marks}
        best = max(found.values())
        weight = max(self._index.rarity(sum(found.values()) / best), _RARE)
        weight *= _THING if unit.main in thesaurus().things else 1.0
        weight *= (_AREA_IN_TAIL if named else _TAIL) if unit.in_tail else 1.0
        for number, well in found.items():
            self._scores[number] += weight * well
            self._mentioned[number] |= self._index.names[number].keys() & unit.words.keys()
        self._lean(unit)

    def _lean(self, unit: Unit) -> None:
        """Count which areas the words suggest; a word that an area never uses counts against it."""
        leaning: dict[str, float] = {}
        for word, well in unit.words.items():
            for area, much in self._index.leaning.get(word, {}).items():
                leaning[area] = max(leaning.get(area, 0.0), well * much, key=abs)
        never = -max(unit.words.values()) / len(self._index.sizes)
        for area in self._index.sizes:
            self._areas[area] += leaning.get(area, never)

    def _fitness(self, number: int) -> float:
        """Return how well a tool fits by its effect, its area and its name."""
        tool, area = self._entries[number], self._index.areas[number]
        fitness = self._by_effect.get(tool.effect, 0.0) - self._index.silence[number]
        if area:
            fitness += _AREA * self._areas[area] + (_NAMED_AREA if area in self._named else 0.0)
            fitness -= _OTHER_AREA if self._named and area not in self._hinted else 0.0
        many = _NUMBER if tool.effect == "read" else _NUMBER_OF_WRITES
        for word in self._mentioned.get(number, ()):
            fitness += self._index.unsaid(word)
            if word in self._asked.plural:
                same = self._asked.plural[word] == self._index.names[number][word]
                fitness += many if same else -many
        return fitness

    @cached_property
    def _by_effect(self) -> dict[str, float]:
        signs = {effect: self._asked.effects.get(effect, 0.0) + usual for effect, usual in _USUAL.items()}
        return {effect: _EFFECT * sign / sum(signs.values()) for effect, sign in signs.items()}

    def _count_meanings(self) -> None:
        found: dict[int, list[float]] = defaultdict(list)
        for means, effects, strength in self._asked.meanings:
            for number, well in self._index.saying(means).items():
                other = effects and self._entries[number].effect not in effects
                found[number].append(strength * well * (_OTHER_EFFECT if other else 1.0))
        for number, each in found.items():
            self._is_understood = True
            self._scores[number] += _MEANING * (max(each) + _MORE * (sum(each) - max(each)))

    def _count_phrases(self) -> None:
        signs = self._asked.effects
        total = sum(signs.values())
        doubt = _DISAGREE * min(1.0, total / _SURE)
        nearest: dict[int, float] = defaultdict(float)
        for sense, near in phrasebook().nearest(self._question).items():
            agreed = max((signs.get(effect, 0.0) for effect in sense.effects), default=0.0) / (total or 1.0)
            found = self._index.saying(sense.means)
            fitting = {n: well for n, well in found.items() if self._entries[n].effect in sense.effects}
            best = self._best_of_each_area(fitting)
            for number, well in found.items():
                close = near * (1 - doubt * (1 - agreed))
                close *= min(1.0, well / best.get(self._index.areas[number], 1.0)) ** 0.5
                close *= 1.0 if number in fitting else _OTHER_EFFECT
                nearest[number] = max(nearest[number], close)
        for number, close in nearest.items():
            self._is_understood |= close > _HEARD
            self._scores[number] += _PHRASE * close

    def _best_of_each_area(self, found: dict[int, float]) -> dict[str, float]:
        best: dict[str, float] = {}
        for number, well in found.items():
            best[self._index.areas[number]] = max(well, best.get(self._index.areas[number], 0.0))
        return best
