"""Places: where the matches of a string are, with their lines; each is looked at when it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from laconic.text.editing.ranges import LineNumbers
from laconic.text.graphemes import boundary, next_boundary
from laconic.text.lines import Span

__all__ = ["MatchPlaces", "Place"]

_AROUND = 2  # lines before and after a match
_LINES = 9
_WIDTH = 200  # characters of a line on either side of a match
_LONGEST = 1_000  # characters that are worth sending to name one place


@dataclass(frozen=True, slots=True)
class Place:
    """One match: its lines and its column (from 1), its span, and the lines around it.

    `context_line` is the number of the first line of `context`. Lines of the context end with LF, and long
    ones are shortened.
    """

    line: int
    column: int
    last_line: int
    start: int
    end: int
    context: str
    context_line: int


class MatchPlaces(Sequence[Place]):
    """The matches in a text; a slice is made without looking at the others.

    Not `complete` if there are more than can be listed.
    """

    def __init__(
        self, text: str, spans: Sequence[Span], *, complete: bool = True, lines: LineNumbers | None = None
    ) -> None:
        self._text = text
        self._spans = spans
        self._lines = lines or LineNumbers(text)
        self.complete = complete

    def __len__(self) -> int:
        return len(self._spans)

    @overload
    def __getitem__(self, index: int) -> Place: ...
    @overload
    def __getitem__(self, index: slice) -> MatchPlaces: ...
    def __getitem__(self, index: int | slice) -> Place | MatchPlaces:
        if isinstance(index, slice):
            return MatchPlaces(self._text, self._spans[index], complete=self.complete, lines=self._lines)
        return self._place(*self._spans[index])

    def unique(self, index: int) -> str | None:
        """Return the fewest whole lines around a match that occur once; None if they would be too long."""
        first, last = self._of(*self._spans[index])
        for more in range(_AROUND + 2):
            begin, end = max(1, first - more), min(self._lines.total, last + more)
            found = self._text[self._lines.start(begin) : self._lines.end(end)]
            if len(found) > _LONGEST:
                return None
            if self._text.find(found, self._text.find(found) + 1) < 0:
                return found
        return None

    def _place(self, start: int, end: int) -> Place:
        line, last = self._of(start, end)
        first = max(1, line - _AROUND)
        shown = range(first, min(self._lines.total, last + _AROUND, first + _LINES - 1) + 1)
        context = "\n".join(self._shortened(number, start, end) for number in shown)
        return Place(line, self._lines.column(start), last, start, end, context, first)

    def _of(self, start: int, end: int) -> tuple[int, int]:
        return self._lines.at(start), self._lines.at(end - 1)

    def _shortened(self, number: int, start: int, end: int) -> str:
        """Return a line, or the part of a long line around a match; of other long lines the beginning."""
        first, last = self._lines.start(number), self._lines.end(number)
        near, far = (max(first, min(place, last)) for place in (start, end))
        near, far = (first, first) if near == last else (near, far)
        left = max(first, boundary(self._text, max(first, near - _WIDTH), first))
        right = min(last, next_boundary(self._text, min(far, near + _WIDTH) + _WIDTH, first))
        return f"{'…' if left > first else ''}{self._text[left:right]}{'…' if right < last else ''}"
