"""The index: which tools use which words, and which words identify an area."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from laconic.kit.longlist.finding.thesaurus import Meaning, Thesaurus
from laconic.kit.longlist.finding.words import name_words, plain_words, singular, stem

__all__ = ["Findable", "ToolIndex"]

_NAME, _DESCRIPTION, _PARAMETER, _AREA = (
    0.9,
    0.65,
    0.45,
    0.45,
)  # how well a word shows a tool's use
_ABSENT_THING, _ABSENT = 0.6, 0.05  # loss for a word of its name that is not in the question
_NEARLY_SAME = 0.6  # weaker synonyms do not count where every word is required
_MOST = 0.85  # a word used by so many of an area's tools identifies the area
_EMPTY = frozenset(plain_words("a an the of or and in on to with by for from at as is its it such"))
_OF_PARAMETERS = _EMPTY | frozenset(plain_words("id ids index indices object objects one more"))
_OF_NAMES = frozenset(plain_words("list batch"))  # about how, not what


class Findable(Protocol):
    """What the finder needs to know about a tool."""

    @property
    def name(self) -> str:
        """Its name, in any case."""

    @property
    def description(self) -> str:
        """What it does."""

    @property
    def parameters(self) -> Sequence[str]:
        """The names of its parameters."""

    @property
    def effect(self) -> str:
        """What it does to the world: read, create, update or delete."""


class ToolIndex:
    """Tools by the words they use; tools are numbered in their order."""

    def __init__(self, entries: Sequence[Findable], known: Thesaurus) -> None:
        self._known = known
        self._entries = entries
        self.places: dict[str, dict[int, float]] = defaultdict(dict)
        self.names: list[dict[str, bool]] = []  # the words of each name; True for a plural
        self.areas = self._areas()
        for number, entry in enumerate(entries):
            self._read(number, entry)
        self.sizes = Counter(self.areas)
        self.leaning = {word: self._leaning(found) for word, found in self.places.items()}
        self.marks = {word: mark for word in self.places if (mark := self._mark(word))}
        self.silence = [
            sum(map(self.unsaid, name)) for name in self.names
        ]  # the loss if no word of a name is in the question
        self._saying: dict[Meaning, dict[int, float]] = {}

    def _areas(self) -> list[str]:
        """Return the area of each tool: the first word of its name, if shared by others and not a verb."""
        firsts = [next(iter(name_words(entry.name)), "") for entry in self._entries]
        often = Counter(firsts)
        return [word if often[word] > 1 and word not in self._known.noise else "" for word in firsts]

    def _read(self, number: int, entry: Findable) -> None:
        name = name_words(entry.name)
        if self.areas[number]:
            self._put(number, name[:1], _AREA)
            name = name[1:]
        self._put(number, name, _NAME)
        self._put(number, (w for w in plain_words(entry.description) if w not in _EMPTY), _DESCRIPTION)
        parts = [word for parameter in entry.parameters for word in name_words(parameter)]
        self._put(number, (word for word in parts if word not in _OF_PARAMETERS), _PARAMETER)
        own = [word for word in name if word not in self._known.noise | _OF_NAMES]
        self.names.append({stem(word): singular(word) != word for word in own})

    def _put(self, number: int, words: Iterable[str], weight: float) -> None:
        for word in dict.fromkeys(map(stem, words)):
            found = self.places[word]
            found[number] = 1 - (1 - found.get(number, 0.0)) * (1 - weight)

    def rarity(self, count: float) -> float:
        """Return the weight of a word that so many tools use."""
        return math.log(1 + (len(self._entries) - count + 0.5) / (count + 0.5))

    def unsaid(self, word: str) -> float:
        """Return the loss for a word of a tool's name that is not in the question."""
        return _ABSENT_THING if word in self._known.things else _ABSENT * self.rarity(len(self.places[word]))

    def _shares(self, found: Mapping[int, float]) -> dict[str, float]:
        shares: dict[str, float] = defaultdict(float)
        for number, weight in found.items():
            shares[self.areas[number]] += weight / self.sizes[self.areas[number]]
        whole = sum(shares.values())
        return {area: share / whole for area, share in shares.items()}

    def _leaning(self, found: Mapping[int, float]) -> dict[str, float]:
        """Return how much more each area uses a word than others do."""
        return {area: share - 1 / len(self.sizes) for area, share in self._shares(found).items()}

    def _mark(self, word: str) -> str:
        """Return the area that a word identifies: its name, or a word that nearly all of its tools use."""
        found = self.places[word]
        often = Counter(self.areas[number] for number in found)
        for area, share in self._shares(found).items():
            is_mark = stem(area) == word or often[area] > _MOST * self.sizes[area]
            if area and self.sizes[area] > 2 and share > 0.6 and is_mark:
                return area
        return ""

    def using(self, words: Mapping[str, float], least: float = 0.0) -> dict[int, float]:
        """Return the tools that use one of these words, with weights."""
        found: dict[int, float] = {}
        for word, well in words.items():
            if well >= least:
                for number, weight in self.places.get(word, {}).items():
                    found[number] = max(found.get(number, 0.0), well * weight)
        return found

    def saying(self, means: Meaning) -> dict[int, float]:
        """Return the tools that have all parts of a meaning, with weights; computed once."""
        if means not in self._saying:
            each = [self.using(self._known.standing_for(words), _NEARLY_SAME) for words in means]
            common = set.intersection(*map(set, each)) if each else set()
            self._saying[means] = {number: min(found[number] for found in each) for number in sorted(common)}
        return self._saying[means]
