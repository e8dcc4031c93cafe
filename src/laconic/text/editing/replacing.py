"""Replacing: strings that occur once are replaced, all of them or none; the rest of the text is untouched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from laconic.text.editing.likeness import NearLines, nearest_lines
from laconic.text.editing.matching import Haystack, MatchKind
from laconic.text.editing.places import MatchPlaces

__all__ = ["EmptyOld", "NoMatch", "NotReplaced", "Overlap", "Replaced", "Replacement", "SeveralMatches"]
__all__ += ["replace_each", "replace_once"]


@dataclass(frozen=True, slots=True)
class Replacement:
    """What was replaced: how it matched, its line (from 1) and span in the old text, and what is there."""

    match: MatchKind
    line: int
    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new text, and each replacement in the order in which they were asked for."""

    text: str
    replacements: tuple[Replacement, ...]


@dataclass(frozen=True, slots=True)
class EmptyOld:
    """The string to replace is empty. `edit` is the number of the edit, from 1."""

    edit: int


@dataclass(frozen=True, slots=True)
class NoMatch:
    """The string to replace does not occur."""

    edit: int
    old: str
    text: str = field(repr=False)

    def nearest(self, *, most: int = 3) -> list[NearLines]:
        """Find what is most similar to it in the text, and what differs."""
        return nearest_lines(self.text, self.old, most=most)


@dataclass(frozen=True, slots=True)
class SeveralMatches:
    """The string to replace occurs more than once; overlapping matches count."""

    edit: int
    old: str
    places: MatchPlaces = field(repr=False)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two edits replace the same characters, which start in this line."""

    edit: int
    other: int
    line: int


Problem = EmptyOld | NoMatch | SeveralMatches | Overlap


class NotReplaced(LookupError):
    """Nothing was replaced; `problems` has one entry for each of the `edits` that cannot be made."""

    def __init__(self, problems: Sequence[Problem], edits: int = 0) -> None:
        self.problems = tuple(problems)
        self.edits = edits or max(one.edit for one in problems)
        super().__init__("; ".join(f"edit {one.edit}: {_WORDS[type(one)]}" for one in problems[:10]))


_WORDS: dict[type, str] = {
    EmptyOld: "the string to replace is empty",
    NoMatch: "the string to replace does not occur",
    SeveralMatches: "the string to replace occurs more than once",
    Overlap: "it overlaps another edit",
}


def replace_once(text: str, old: str, new: str) -> Replaced:
    """Replace a string that occurs once.

    If it does not occur as it is, white space at the ends of lines and the kind of line breaks do not count.

    Raises:
        NotReplaced: it is empty, or occurs nowhere or more than once.
    """
    return replace_each(text, [(old, new)])


def replace_each(text: str, edits: Iterable[tuple[str, str]]) -> Replaced:
    """Replace several strings (old, new), each of which occurs once; all of them or none.

    Each is looked for in the text as it was, so their order does not matter and none sees what another
    wrote. They may touch, but not overlap.

    Raises:
        NotReplaced: some are empty, occur nowhere or more than once, or overlap.
    """
    haystack = Haystack(text)
    found = [_found(haystack, number, old, new) for number, (old, new) in enumerate(edits, 1)]
    replacements = [one for one in found if isinstance(one, Replacement)]
    problems = [one for one in found if not isinstance(one, Replacement)] or _overlaps(replacements)
    if problems:
        raise NotReplaced(problems, len(found))
    return Replaced(_applied(text, replacements), tuple(replacements))


def _found(haystack: Haystack, edit: int, old: str, new: str) -> Replacement | Problem:
    if not old:
        return EmptyOld(edit)
    found = haystack.find(old)
    if not found.spans:
        return NoMatch(edit, old, haystack.text)
    if len(found.spans) > 1:
        places = MatchPlaces(haystack.text, found.spans, complete=found.complete, lines=haystack.lines)
        return SeveralMatches(edit, old, places)
    start, end = found.spans[0]
    line = haystack.text.count("\n", 0, start) + 1
    return Replacement(found.kind, line, start, end, _fitting(haystack.text, start, found.kind, old, new))


def _fitting(text: str, start: int, match: MatchKind, old: str, new: str) -> str:
    """Give a new string the line breaks of the text around it, unless the caller chose others on purpose."""
    if "\n" not in new or (match == "exact" and "\r" in old + new):
        return new
    nearby = text.find("\n", start)
    nearby = nearby if nearby >= 0 else text.rfind("\n", 0, start)
    if nearby < 0:
        return new
    plain = new.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if text[nearby - 1 : nearby] == "\r" else plain


def _overlaps(replacements: list[Replacement]) -> list[Overlap]:
    overlaps: list[Overlap] = []
    furthest, other = 0, 0  # where the edits so far end, and which of them does
    for edit, one in sorted(enumerate(replacements, 1), key=lambda numbered: numbered[1].start):
        if one.start < furthest:
            overlaps.append(Overlap(edit, other, one.line))
        if one.end > furthest:
            furthest, other = one.end, edit
    return overlaps


def _applied(text: str, replacements: list[Replacement]) -> str:
    parts, place = [], 0
    for one in sorted(replacements, key=lambda one: one.start):
        parts += [text[place : one.start], one.new]
        place = one.end
    return "".join([*parts, text[place:]])
