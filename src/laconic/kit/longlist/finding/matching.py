"""Matching: which rules of the thesaurus match a question, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from laconic.kit.longlist.finding.thesaurus import Cooccurrence, Idiom, Thesaurus
from laconic.kit.longlist.finding.words import START, ParsedQuestion, singular, stem

__all__ = ["idioms_in", "together_in"]

_GAP = 4  # words allowed between those of an idiom


def idioms_in(question: ParsedQuestion, known: Thesaurus) -> list[tuple[Idiom, list[int]]]:
    """Return the idioms in a question with their places; of two that share a word, the longer one."""
    found = [(rule, places) for rule, places in _idioms(question, known) if places]
    found.sort(key=lambda one: (-len(one[1]), one[1][0]))
    taken: set[int] = set()
    kept: list[tuple[Idiom, list[int]]] = []
    for rule, places in found:
        if not taken.intersection(places):
            only_a_sign = rule.words[0] == START and not rule.means  # `^ what` leaves its words to others
            taken.update(() if only_a_sign else places)
            kept.append((rule, [] if only_a_sign else places))
    return kept


def _idioms(question: ParsedQuestion, known: Thesaurus) -> Iterator[tuple[Idiom, list[int]]]:
    for start, word in enumerate(question.words):
        for rule in known.idioms.get(singular(word), ()):
            yield rule, _places(rule.words, question, start)


def _places(pattern: tuple[str, ...], question: ParsedQuestion, at: int) -> list[int]:
    words, places, gap = question.words, list[int](), 0
    for part in pattern:
        if part == "..":
            gap = _GAP
            continue
        while at < len(words) and singular(words[at]) != part:
            gap -= not question.is_article(at)
            at += 1
            if gap < 0:
                return []
        if at == len(words):
            return []
        places.append(at)
        at, gap = at + 1, 0
    return places


def together_in(question: ParsedQuestion, known: Thesaurus) -> Iterator[tuple[Cooccurrence, bool]]:
    """Return the rules whose words occur together, and whether one of three or more parts is missing."""
    where: dict[str, set[int]] = defaultdict(set)
    for place, word in enumerate(question.words):
        for one in (stem(word), *known.same.get(stem(word), ()), f"={word}"):
            where[one].add(place)
    singulars = [singular(word) for word in question.words]
    for rule in known.together:
        if not rule.without & where.keys():
            found = list(_parts(rule, where, singulars))
            missing = len(rule.parts) - len(found)
            if missing <= (len(rule.parts) > 2) and _apart(found):
                yield rule, bool(missing)


def _parts(rule: Cooccurrence, where: dict[str, set[int]], singulars: list[str]) -> Iterator[set[int]]:
    """Return the places of each part that occurs; stop at the second that is missing."""
    missed = 0
    for part in rule.parts:
        places = {place for word in part.words & where.keys() for place in where[word]}
        for phrase in part.phrases:
            places.update(_occurrences(phrase, singulars))
        if places:
            yield places
        else:
            missed += 1
            if missed > 1:
                return


def _occurrences(phrase: tuple[str, ...], words: list[str]) -> Iterator[int]:
    for at in range(len(words) - len(phrase) + 1):
        if tuple(words[at : at + len(phrase)]) == phrase:
            yield at


def _apart(places: list[set[int]]) -> bool:
    """True if every part can have a different place."""
    if not places:
        return True
    return any(_apart([others - {place} for others in places[1:]]) for place in places[0])
