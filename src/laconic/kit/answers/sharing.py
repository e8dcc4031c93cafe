"""Sharing: what rows of a list have in common, so that it can be said once above them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

__all__ = ["FEWEST", "Stretch", "constant", "runs_of", "usual"]

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


def runs_of(
    rows: Sequence[Words], names: Sequence[str], costs: Mapping[str, int] | None = None
) -> list[Stretch]:
    """Return all rows in their order, with headings where they save most; a lone row has none.

    A heading says only what is the same, and not empty, in each of its rows; `costs` are the further
    characters that a name takes in it.
    """
    costs = costs or {}
    saved, last = [0], [Stretch(0, 0)]
    for end in range(1, len(rows) + 1):
        most, best, row = saved[end - 1], Stretch(end - 1, end), rows[end - 1]
        shared = {name: len(word) + 1 for name in names if (word := row.get(name))}
        for start in range(end - 2, max(end - 1 - _LONGEST, -1), -1):
            other = rows[start]
            shared = {name: size for name, size in shared.items() if other.get(name) == row[name]}
            if not shared or len(rows) < FEWEST:
                break
            gains = [(end - start - 1) * size - costs.get(name, 0) for name, size in shared.items()]
            gain = saved[start] + sum([one for one in gains if one > 0]) - _WORTH
            if gain > most:
                said = [name for name, one in zip(shared, gains, strict=True) if one > 0]
                most, best = gain, Stretch(start, end, tuple(said))
        saved.append(most)
        last.append(best)
    return _back(last)


def _back(last: Sequence[Stretch]) -> list[Stretch]:
    """Follow the last run of each beginning from the end to the start."""
    found: list[Stretch] = []
    end = len(last) - 1
    while end:
        found.append(last[end])
        end = last[end].start
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
