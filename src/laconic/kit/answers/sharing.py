"""Sharing: what rows of a list have in common, so that it can be said once above them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import eq
from typing import Final, NamedTuple, cast

__all__ = ["ALL", "FEWEST", "Stretch", "constant", "leave_out", "runs_of", "usual", "with_headings"]

ALL: Final = "All"  # begins a heading; no row begins like that
FEWEST: Final = 4  # rows: a shorter list says everything on each of them
_WORTH: Final = 20  # characters that a heading must save besides its own
_LONGEST: Final = 100  # rows under one heading

Words = Mapping[str, str]
"""What a row says, by the name of the field."""


class Stretch(NamedTuple):
    """Consecutive rows, and the fields that a heading above them says for all of them."""

    start: int
    end: int
    names: tuple[str, ...] = ()


_Last = tuple[int, tuple[str, ...]]
"""The last stretch of some rows: where it starts, and what its heading says."""


class _SharedWord(NamedTuple):
    """A word that a row shares with the rows right before it."""

    begin: int  # the first of these rows
    size: int  # what each of them saves
    cost: int  # of the name in a heading
    name: str


def runs_of(
    rows: Sequence[Words], names: Sequence[str], costs: Mapping[str, int] | None = None
) -> list[Stretch]:
    """Return all rows in their order, with headings where they save most; a lone row has none.

    A heading says only what is the same, and not empty, in each of its rows; `costs` are the further
    characters that a name takes in it.
    """
    if len(rows) < FEWEST:
        return [Stretch(0, len(rows))] if rows else []
    saved: list[int] = [0]
    last: list[_Last] = []
    for end, shared in enumerate(_shared(rows, names, costs or {}), 1):
        most, best = _best(shared, saved, end) if shared else (saved[-1], (end - 1, ()))
        saved.append(most)
        last.append(best)
    return _back(last)


def _shared(rows: Sequence[Words], names: Sequence[str], costs: Mapping[str, int]) -> list[list[_SharedWord]]:
    """Return, for each row, the words that it shares with the one before it."""
    found: list[list[_SharedWord]] = [[] for _ in rows]
    for name in names:
        words = [row.get(name, "") for row in rows]
        begin = 0
        for place, is_same in enumerate(map(eq, words, words[1:]) if any(words) else (), 1):
            if not is_same:
                begin = place
            elif word := words[place]:
                found[place].append(_SharedWord(begin, len(word) + 1, costs.get(name, 0), name))
    return found


def _best(shared: Sequence[_SharedWord], saved: Sequence[int], end: int) -> tuple[int, _Last]:
    """Return the most that can be saved up to a row, and the last stretch of the way to save it."""
    most, best = saved[end - 1], cast(_Last, (end - 1, ()))
    first = max(min([one.begin for one in shared]), end - _LONGEST)
    for start in range(end - 2, first - 1, -1):
        others = end - start - 1
        gain = saved[start] - _WORTH
        for begin, size, cost, _ in shared:
            if begin <= start and others * size > cost:
                gain += others * size - cost
        if gain > most:
            said = [one.name for one in shared if one.begin <= start and others * one.size > one.cost]
            most, best = gain, (start, tuple(said))
    return most, best


def _back(last: Sequence[_Last]) -> list[Stretch]:
    """Follow the last stretches from the end to the start; rows without a heading are one stretch."""
    found: list[Stretch] = []
    end = until = len(last)
    while end:
        start, names = last[end - 1]
        if names:
            found += [Stretch(end, until)] if end < until else []
            found.append(Stretch(start, end, names))
            until = start
        end = start
    found += [Stretch(0, until)] if until else []
    return found[::-1]


def constant(rows: Sequence[Words], names: Iterable[str]) -> list[str]:
    """Return the names of what is the same, and not empty, in all rows."""
    if len(rows) < FEWEST:
        return []
    first = rows[0]
    return [name for name in names if first.get(name) and all(row.get(name) == first[name] for row in rows)]


def usual(values: Sequence[str]) -> str | None:
    """Return the value that more than half of the rows have; None if there is none, or one is empty."""
    if len(values) < FEWEST or not all(values):
        return None
    value, count = Counter(values).most_common(1)[0]
    return value if 2 * count > len(values) else None


def leave_out(rows: Sequence[dict[str, str]], said: Words) -> None:
    """Empty what is said above the rows."""
    for name, word in said.items():
        for row in rows:
            if row.get(name) == word:
                row[name] = ""


def with_headings(
    rows: Sequence[Mapping[str, str]],
    names: Sequence[str],
    heading: Callable[[Mapping[str, str]], str],
    line: Callable[[int, Sequence[str]], str],
) -> list[str]:
    """Return the lines and their headings; an empty line ends what a heading is about."""
    lines: list[str] = []
    is_under = False
    for start, end, shared in runs_of(rows, names) if names else [Stretch(0, len(rows))]:
        if shared:
            first = rows[start]
            lines.append(heading({name: first[name] for name in first if name in shared}))
        elif is_under:
            lines.append("")
        is_under = bool(shared)
        lines += [line(place, shared) for place in range(start, end)]
    return lines
