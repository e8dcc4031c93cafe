"""The thesaurus: the words people use for the words of tools, read from thesaurus.txt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from laconic.kit.longlist.finding.words import singular, stem

__all__ = ["Cooccurrence", "Idiom", "Meaning", "Thesaurus", "meaning", "thesaurus"]

SAME, KIND, LOOSE = 0.85, 0.7, 0.45  # how well another word replaces the one in the question

Meaning = tuple[tuple[str, ...], ...]  # all of these, each as one of several words


@dataclass(frozen=True)
class Idiom:
    """Words in this order, and what they mean."""

    words: tuple[str, ...]
    means: Meaning
    effects: frozenset[str]


@dataclass(frozen=True)
class Alternatives:
    """Words or phrases, one of which must occur."""

    words: frozenset[str]
    phrases: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Cooccurrence:
    """Words that have a meaning when they occur together, in any order."""

    parts: tuple[Alternatives, ...]
    without: frozenset[str]
    means: Meaning
    effects: frozenset[str]
    is_sure: bool


class Thesaurus:
    """Synonyms, idioms and other rules about words."""

    def __init__(self, text: str) -> None:
        self._groups: dict[str, set[str]] = defaultdict(set)
        self.words: dict[str, list[Idiom]] = defaultdict(list)  # by the word
        self.idioms: dict[str, list[Idiom]] = defaultdict(list)  # by their first word
        self.together: list[Cooccurrence] = []
        self.noise: set[str] = set()
        self.things: set[str] = set()
        self._kinds: dict[str, dict[str, float]] = defaultdict(dict)
        for line in text.replace("\n    ", " ").splitlines():
            if line and not line.startswith("#"):
                self._learn(line)
        self.same = {word: tuple(sorted(others)) for word, others in self._groups.items()}
        self.known = frozenset({*self.same, *self.words, *self._kinds})

    def _learn(self, line: str) -> None:
        head, _, rest = line.partition(": ")
        if rest and head in ("noise", "things"):
            words = rest.split()
            self.noise.update(words if head == "noise" else ())
            self.things.update(stem(word) for word in words if head == "things")
        elif " >" in line:
            left, _, right = line.partition(" >")
            self._learn_rule(left, right.split())
        elif " ~" in line:
            left, _, right = line.partition(" ~")
            self._learn_kind(left, right)
        else:
            group = {stem(word) for word in line.split(" = ")}
            for word in group:
                self._groups[word] |= group - {word}

    def _learn_kind(self, left: str, right: str) -> None:
        weight = LOOSE if right.startswith("~") else KIND
        for word in left.split(", "):
            for kind in right.strip("~ ").split():
                self._kinds[stem(word)][stem(kind)] = weight

    def _learn_rule(self, left: str, right: list[str]) -> None:
        means, effects = meaning(right), frozenset(word[1:] for word in right if word[0] == "+")
        if " & " in left:
            parts = [part for part in left.split(" & ") if part[0] != "!"]
            without = [part[1:] for part in left.split(" & ") if part[0] == "!"]
            banned = frozenset(word for part in without for word in _part(part).words)
            rule = Cooccurrence(tuple(map(_part, parts)), banned, means, effects, "!" in right)
            self.together.append(rule)
            return
        for phrase in left.split(", "):
            words = phrase.split()
            if len(words) == 1:
                form = phrase if phrase.endswith(("s", "ed", "ing")) else stem(phrase)
                self.words[form].append(Idiom((form,), means, effects))
            else:
                first = singular(words[0])
                self.idioms[first].append(Idiom(tuple(map(singular, words)), means, effects))

    def standing_for(self, words: Iterable[str], weight: float = 1.0) -> dict[str, float]:
        """Return every word that a tool may use for one of these stems, with its weight."""
        found: dict[str, float] = {}
        for word in words:
            others = {other: SAME for other in self.same.get(word, ())}
            for kind, loss in self._kinds.get(word, {}).items():
                for other in (kind, *self.same.get(kind, ())):
                    others[other] = max(others.get(other, 0.0), loss)
            for other, well in {**others, word: 1.0}.items():
                found[other] = max(found.get(other, 0.0), weight * well)
        return found


def meaning(words: Iterable[str]) -> Meaning:
    """Return a meaning from `table row|line`: a table, and a row or a line."""
    return tuple(tuple(stem(one) for one in word.split("|")) for word in words if word[0] not in "+!")


def _part(text: str) -> Alternatives:
    ones = text.split("|")
    words = frozenset(one if one[0] == "=" else stem(one) for one in ones if " " not in one)
    return Alternatives(words, tuple(tuple(map(singular, one.split())) for one in ones if " " in one))


@cache
def thesaurus() -> Thesaurus:
    """Return the thesaurus of the kit; read on first use."""
    return Thesaurus(Path(__file__).with_name("thesaurus.txt").read_text(encoding="utf-8"))
