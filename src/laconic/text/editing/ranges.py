"""Line ranges: the lines of a text as those count them who edit it, from 1 and including the last one.

A line ends before LF or CRLF; a lone CR is part of its line. An empty text has one line, and a final line
break is followed by one more line, which is empty.
"""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

__all__ = ["LineNumbers", "LineRange", "NoLines", "line_range"]


@dataclass(frozen=True, slots=True)
class LineRange:
    """Some lines of a text, without the line break after the last one, and how many lines the text has."""

    first: int
    last: int
    total: int
    start: int
    end: int
    text: str


class NoLines(LookupError):
    """The range has no lines in this text."""

    def __init__(self, first: int, last: int, total: int) -> None:
        self.first = first
        self.last = last
        self.total = total
        super().__init__(f"no lines {first} to {last} in a text of {total}: {self.problem}")

    @property
    def problem(self) -> Literal["below 1", "reversed", "beyond the end"]:
        """What is wrong with the range."""
        if self.first < 1 or self.last < 1:
            return "below 1"
        return "reversed" if self.first > self.last else "beyond the end"


class LineNumbers:
    """Where each line of a text starts, and which line an index is in."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    @property
    def total(self) -> int:
        """How many lines the text has."""
        return len(self._starts) - 1

    def at(self, index: int) -> int:
        """Return the number of the line that contains an index; a line break belongs to the line it ends."""
        return min(bisect_right(self._starts, index), self.total)

    def column(self, index: int) -> int:
        """Return how many characters into its line an index is, from 1."""
        return index - self._starts[self.at(index) - 1] + 1

    def start(self, line: int) -> int:
        """Return where a line starts."""
        return self._starts[line - 1]

    def end(self, line: int) -> int:
        """Return where a line ends, before its line break."""
        end = self._starts[line] - 1
        is_crlf = line < self.total and end > self._starts[line - 1] and self._text[end - 1] == "\r"
        return end - 1 if is_crlf else end


def line_range(text: str, first: int | None = None, last: int | None = None) -> LineRange:
    """Read lines; without `first` from the beginning, without `last` or with one beyond the end to the end.

    Raises:
        NoLines: a number is below 1, `first` is after `last`, or `first` is beyond the end.
    """
    lines = LineNumbers(text)
    first = 1 if first is None else first
    asked = max(first, lines.total) if last is None else last
    if first < 1 or asked < first or first > lines.total:
        raise NoLines(first, asked, lines.total)
    last = min(asked, lines.total)
    start, end = lines.start(first), lines.end(last)
    return LineRange(first, last, lines.total, start, end, text[start:end])
