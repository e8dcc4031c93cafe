"""Likeness: the lines of a text that are nearest to a text which does not occur in it, and what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice

from laconic.text.editing.comparing.differences import Alignment, Difference
from laconic.text.editing.comparing.folding import Folded
from laconic.text.editing.ranges import LineNumbers
from laconic.text.lines import Span

__all__ = ["NearLines", "nearest_lines"]

_TEXT = 1_000_000  # characters that are searched
_LINES = 100_000  # lines that are searched
_ASKED = 10_000  # characters of what was asked for that are compared
_PIECE = 400  # characters of a long line that are compared at once
_SHORT = 16  # characters; fewer are compared in twos, more in threes
_EACH = 4  # lines asked for that one group of letters counts for
_DIFFERENCES = 20
_LEAST = 0.4


@dataclass(frozen=True, slots=True)
class NearLines:
    """A part of a text that is like what was asked for: its lines (from 1), its span, and what differs.

    `likeness` is 1.0 if only case, white space and the like differ. At most 20 differences are given.
    """

    first: int
    last: int
    column: int
    start: int
    end: int
    text: str
    likeness: float
    differences: tuple[Difference, ...]


def nearest_lines(text: str, asked: str, *, most: int = 3) -> list[NearLines]:
    """Find the parts of a text most similar to what was asked for, best first; empty if none is similar.

    Bounded work: the first million characters of the text, and 100,000 lines, are searched for the first
    10,000 characters asked for.
    """
    text, asked = "\n".join(text[:_TEXT].split("\n", _LINES)[:_LINES]), asked[:_ASKED]
    wanted = Folded(asked)
    if not wanted.text or most < 1:
        return []
    lines = LineNumbers(text)
    same = [_near(lines, text, asked, span, 1.0) for span in islice(_alike(text, asked, wanted), most)]
    return same or [
        _near(lines, text, asked, Alignment(asked, text, _with_blanks(text, asked, span)).part(), likeness)
        for span, likeness in _Similar(text, asked).best(most)
    ]


def _near(lines: LineNumbers, text: str, asked: str, span: Span, likeness: float) -> NearLines:
    start, end = span
    differences = tuple(islice(Alignment(asked, text, span).differences(lines), _DIFFERENCES))
    first, last = lines.at(start), lines.at(max(start, end - 1))
    return NearLines(first, last, lines.column(start), start, end, text[start:end], likeness, differences)


def _alike(text: str, asked: str, wanted: Folded) -> Iterator[Span]:
    """Yield the parts that are the same once both are folded."""
    folded, at = Folded(text), -1
    while (at := folded.text.find(wanted.text, at + 1)) >= 0:
        yield _with_blanks(text, asked, folded.origin(at, at + len(wanted.text)))


def _with_blanks(text: str, asked: str, span: Span) -> Span:
    """Take in the white space around a part if what was asked for has some there, up to one line break."""
    start, end = span
    if asked[0].isspace():
        before = text[max(0, start - _PIECE) : start]
        blanks = before[len(before.rstrip(" \t")) :]
        start -= len(blanks)
    if asked[-1].isspace():
        after = text[end : end + _PIECE]
        blanks = after[: len(after) - len(after.lstrip(" \t\r"))]
        end += len(blanks) + (asked[-1] == "\n" and after[len(blanks) : len(blanks) + 1] == "\n")
    return start, end


class _Similar:
    """The search for similar parts, by the groups of two or three letters that they share."""

    def __init__(self, text: str, asked: str) -> None:
        self._pieces = list(_pieces(text))
        self._texts = Folded("\n".join(text[start:end] for start, end in self._pieces)).lines
        wanted = Folded("\n".join(asked[start:end] for start, end in _pieces(asked.strip("\r\n")))).lines
        self._size = 2 if sum(map(len, wanted)) < _SHORT else 3
        self._groups = [self._groups_of(line) for line in wanted]
        self._lines_with: dict[str, list[int]] = {}
        for number, groups in enumerate(self._groups):
            for group in groups:
                self._lines_with.setdefault(group, []).append(number)
        self._total = sum(min(len(found), _EACH) for found in self._lines_with.values())

    def best(self, most: int) -> Iterator[tuple[Span, float]]:
        """Yield the best windows of as many lines as were asked for, with their likeness."""
        shared = self._shared()
        taken: list[int] = []
        for first in nlargest(most * len(self._groups), shared, key=lambda first: (shared[first], -first)):
            likeness = round(min(0.99, shared[first] / self._total), 2)
            if likeness < _LEAST or len(taken) == most:
                return
            if all(abs(first - other) >= len(self._groups) for other in taken):
                taken.append(first)
                yield self._window(first), likeness

    def _shared(self) -> Counter[int]:
        """Count the groups that each window shares with what was asked for, by its first piece."""
        shared: Counter[int] = Counter()
        known: dict[str, Counter[int]] = {}
        for place, line in enumerate(self._texts):
            if line not in known:
                known[line] = self._lines_like(line)
            for number, count in known[line].items():
                shared[place - number] += count
        return shared

    def _lines_like(self, line: str) -> Counter[int]:
        groups = self._groups_of(line) & self._lines_with.keys()
        return Counter(number for group in groups for number in self._lines_with[group][:_EACH])

    def _groups_of(self, line: str) -> set[str]:
        last = max(1, len(line) - self._size + 1)  # a shorter line is one group
        return {line[index : index + self._size] for index in range(last)} if line else set()

    def _window(self, first: int) -> Span:
        last = min(len(self._pieces), first + len(self._groups)) - 1
        return self._pieces[max(0, first)][0], self._pieces[last][1]


def _pieces(text: str) -> Iterator[Span]:
    """Yield the span of each line, without its line break, and of each part of a long one."""
    start = 0
    for line in text.split("\n"):
        end = start + len(line.removesuffix("\r"))
        for at in range(start, max(end, start + 1), _PIECE):
            yield at, min(end, at + _PIECE)
        start += len(line) + 1
