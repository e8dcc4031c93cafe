"""Comparing two sequences: which runs of items changed, with bounded work for any input.

The shortest list of changes is found with Myers' algorithm. Where that takes too many steps, items that occur
once on both sides split the sequences, and each part is compared on its own; a part that is still too much
work counts as replaced as a whole.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

STEPS = 300_000
"""How many steps a comparison may take: less than a second."""

_DEEPEST = 4  # how often a part is split again

Pair = tuple[int, int]
"""An item before, and the equal one after."""


class UnequalRun(NamedTuple):
    """Items `start` to `end` before became items `new_start` to `new_end` after."""

    start: int
    end: int
    new_start: int
    new_end: int


class Comparison(NamedTuple):
    """The runs that changed, in order; `rough` if a part was too much work and counts as replaced."""

    runs: list[UnequalRun]
    rough: bool


def compare(before: Sequence[Hashable], after: Sequence[Hashable], steps: int = STEPS) -> Comparison:
    """Find the runs in which two sequences differ."""
    numbers: dict[Hashable, int] = {}
    one = [numbers.setdefault(item, len(numbers)) for item in before]
    other = [numbers.setdefault(item, len(numbers)) for item in after]
    comparing = _Comparing(steps)
    pairs = comparing.pairs(one, other)
    return Comparison(_runs(pairs, len(one), len(other)), comparing.rough)


def _runs(pairs: list[Pair], length: int, new_length: int) -> list[UnequalRun]:
    """Return what is between pairs of equal items."""
    runs, start, new_start = [], 0, 0
    for end, new_end in [*pairs, (length, new_length)]:
        if end > start or new_end > new_start:
            runs.append(UnequalRun(start, end, new_start, new_end))
        start, new_start = end + 1, new_end + 1
    return runs


class _Comparing:
    """One comparison: the steps it has left, and whether it gave up on a part."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.rough = False

    def pairs(self, one: list[int], other: list[int], depth: int = 0) -> list[Pair]:
        """Pair equal items; what both begin or end with is not worth a step."""
        head = _common(one, other)
        tail = _common(one[: head - 1 if head else None : -1], other[: head - 1 if head else None : -1])
        inner = self._inner(one[head : len(one) - tail], other[head : len(other) - tail], depth)
        last, new_last = len(one) - tail, len(other) - tail
        return [
            *((index, index) for index in range(head)),
            *((head + index, head + match) for index, match in inner),
            *((last + index, new_last + index) for index in range(tail)),
        ]

    def _inner(self, one: list[int], other: list[int], depth: int) -> list[Pair]:
        """Compare only the items that occur on both sides: no other can be part of a pair."""
        shared = set(one) & set(other)
        kept = [index for index, item in enumerate(one) if item in shared]
        new_kept = [index for index, item in enumerate(other) if item in shared]
        found = self._shared([one[index] for index in kept], [other[index] for index in new_kept], depth)
        return [(kept[index], new_kept[match]) for index, match in found]

    def _shared(self, one: list[int], other: list[int], depth: int) -> list[Pair]:
        if not one:
            return []
        shortest = self._shortest(one, other)
        return self._split(one, other, depth) if shortest is None else shortest

    def _split(self, one: list[int], other: list[int], depth: int) -> list[Pair]:
        """Pair the items that occur once on both sides, and compare what is between them."""
        anchors = _anchors(one, other) if depth < _DEEPEST else []
        if not anchors:
            self.rough = True
            return []
        pairs: list[Pair] = []
        for run in _runs(anchors, len(one), len(other)):
            inner = self.pairs(one[run.start : run.end], other[run.new_start : run.new_end], depth + 1)
            pairs += [(run.start + index, run.new_start + match) for index, match in inner]
        return sorted(pairs + anchors)

    def _shortest(self, one: list[int], other: list[int]) -> list[Pair] | None:
        """Follow all paths of 0, 1, 2 … changes until one reaches the end; None if the steps run out."""
        length, new_length = len(one), len(other)
        middle = length + new_length + 1
        reached = [0] * (2 * middle + 1)  # on each diagonal, how far `one` has been read
        history: list[list[int]] = []
        for changes in range(length + new_length + 1):
            history.append(reached[middle - changes - 1 : middle + changes + 2])
            for diagonal in range(-changes, changes + 1, 2):
                below, above = reached[middle + diagonal - 1], reached[middle + diagonal + 1]
                place = start = above if _is_added(changes, diagonal, below, above) else below + 1
                match = place - diagonal
                while place < length and match < new_length and one[place] == other[match]:
                    place, match = place + 1, match + 1
                reached[middle + diagonal] = place
                if place >= length and match >= new_length:
                    return _backwards(history, length, new_length)
                self.steps -= 1 + place - start
                if self.steps < 0:
                    return None
        raise AssertionError("as many changes as items always reach the end")


def _backwards(history: list[list[int]], place: int, match: int) -> list[Pair]:
    """Follow the shortest path back from its end, and return the equal items on it."""
    pairs: list[Pair] = []
    for changes in range(len(history) - 1, -1, -1):
        previous, new_previous = _previous(history[changes], changes, place - match) if changes else (0, 0)
        while place > previous and match > new_previous:
            place, match = place - 1, match - 1
            pairs.append((place, match))
        place, match = previous, new_previous
    return pairs[::-1]


def _previous(reached: list[int], changes: int, diagonal: int) -> Pair:
    """Return where a path was before its last change."""
    below, above = reached[changes + diagonal], reached[changes + diagonal + 2]
    if _is_added(changes, diagonal, below, above):
        return above, above - diagonal - 1
    return below, below - diagonal + 1


def _is_added(changes: int, diagonal: int, below: int, above: int) -> bool:
    """True if the last change of the path that got furthest on a diagonal added an item."""
    return diagonal == -changes or (diagonal != changes and below < above)


def _common(one: list[int], other: list[int]) -> int:
    """Count the equal items at the beginning."""
    both = zip(one, other, strict=False)
    return next(
        (index for index, (item, match) in enumerate(both) if item != match), min(len(one), len(other))
    )


def _anchors(one: list[int], other: list[int]) -> list[Pair]:
    """Find the items that occur once on both sides, as many as are in the same order."""
    counts, new_counts = Counter(one), Counter(other)
    where = {item: index for index, item in enumerate(other) if new_counts[item] == 1}
    pairs = [(index, where[item]) for index, item in enumerate(one) if counts[item] == 1 and item in where]
    return _longest_rising(pairs)


def _longest_rising(pairs: list[Pair]) -> list[Pair]:
    """Return the longest part of the pairs whose second numbers rise as well."""
    lowest: list[int] = []  # the lowest last number of a part of each length
    ends: list[int] = []  # which pair that is
    before: list[int] = []
    for number, (_, match) in enumerate(pairs):
        length = bisect_left(lowest, match)
        lowest[length : length + 1] = [match]
        ends[length : length + 1] = [number]
        before.append(ends[length - 1] if length else -1)
    rising, number = [], ends[-1] if ends else -1
    while number >= 0:
        rising.append(pairs[number])
        number = before[number]
    return rising[::-1]
