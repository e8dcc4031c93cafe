"""Matching: where a string occurs in a text, exactly or apart from white space at the ends of lines."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple, overload

from laconic.text.editing.ranges import LineNumbers
from laconic.text.lines import Span

MatchKind = Literal["exact", "whitespace_normalized"]

_WORK = 100_000_000  # characters of matches that are looked at, for all strings in one text
_LEAST = 100  # characters that a match counts for
_SEVERAL = 2  # matches that are looked for in any case: with one, a string is replaced


class Spans(Sequence[Span]):
    """Where a string occurs; each span is made when it is asked for."""

    def __init__(self, starts: Sequence[int], span: Callable[[int], Span]) -> None:
        self._starts = starts
        self._span = span

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Span: ...
    @overload
    def __getitem__(self, index: slice) -> Spans: ...
    def __getitem__(self, index: int | slice) -> Span | Spans:
        if isinstance(index, slice):
            return Spans(self._starts[index], self._span)
        return self._span(self._starts[index])


class Occurrences(NamedTuple):
    """The spans where a string occurs, overlapping or not; `complete` unless there are too many to list."""

    kind: MatchKind
    spans: Sequence[Span]
    complete: bool


class Haystack:
    """A text in which strings are looked for.

    A CRLF is one line break: a match never begins between its two characters.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._work = _WORK

    @cached_property
    def lines(self) -> LineNumbers:
        """Where each line starts."""
        return LineNumbers(self.text)

    def find(self, old: str) -> Occurrences:
        """Find a string as it is; if it does not occur, without white space at the ends of lines."""
        starts, complete = self._starts(self.text, old)
        if not starts:
            return self._normalized(old)
        has_split = old[0] == "\n" and any(map(self._splits_break, starts))

        def span(start: int) -> Span:
            return start - (has_split and self._splits_break(start)), start + len(old)

        return Occurrences("whitespace_normalized" if has_split else "exact", Spans(starts, span), complete)

    def _normalized(self, old: str) -> Occurrences:
        lines = old.split("\n")
        wanted = "\n".join(line.rstrip() for line in lines)
        if not wanted or (wanted.isspace() and wanted != old.replace("\r\n", "\n")):
            return Occurrences("whitespace_normalized", [], complete=True)
        to_line_end = lines[-1] != lines[-1].rstrip()
        text, length = self._stripped, len(wanted)
        if to_line_end:  # white space at its end matches only white space at the end of a line
            starts, complete = self._starts(text.ended, wanted + "\n")
        else:
            starts, complete = self._starts(text.text, wanted)

        def span(start: int) -> Span:
            return text.start(start), text.end(start + length, to_line_end)

        return Occurrences("whitespace_normalized", Spans(starts, span), complete)

    def _splits_break(self, start: int) -> bool:
        return self.text[start - 1 : start] == "\r"

    @cached_property
    def _stripped(self) -> _Stripped:
        return _Stripped(self.text)

    def _starts(self, text: str, old: str) -> tuple[Sequence[int], bool]:
        """Find every place where a string starts, and whether these are all of them."""
        starts = array("q")
        for at in _places(text, old):
            if self._work <= 0 and len(starts) >= _SEVERAL:
                return starts, False
            starts.append(at)
            self._work -= max(len(old), _LEAST)
        return starts, True


class _Stripped:
    """A text with LF as line break and no white space before it, and where each line was."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._kept = [line.rstrip() for line in self._lines]
        self.text = "\n".join(self._kept)
        self._starts = [0, *accumulate(len(line) + 1 for line in self._kept)]
        self._origins = [0, *accumulate(len(line) + 1 for line in self._lines)]

    @cached_property
    def ended(self) -> str:
        """The text with a line break after its last line, too."""
        return self.text + "\n"

    def start(self, index: int) -> int:
        """Map the start of a match; a line break starts after the white space before it."""
        line = bisect_right(self._starts, index) - 1
        inside = index - self._starts[line]
        return self._break(line) if inside == len(self._kept[line]) else self._origins[line] + inside

    def end(self, index: int, to_line_end: bool) -> int:
        """Map the end of a match, perhaps with the white space that follows it."""
        line = bisect_right(self._starts, index) - 1
        return self._break(line) if to_line_end else self._origins[line] + index - self._starts[line]

    def _break(self, line: int) -> int:
        """Return where the line break after a line starts, or the text ends."""
        is_crlf = line + 1 < len(self._lines) and self._lines[line].endswith("\r")
        return self._origins[line] + len(self._lines[line]) - is_crlf


def _places(text: str, old: str) -> Iterator[int]:
    at = text.find(old)
    while at >= 0:
        yield at
        at = text.find(old, at + 1)
