"""Matching: where a string occurs in a text, exactly or apart from white space at the ends of lines."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from laconic.text.lines import Span

MatchKind = Literal["exact", "whitespace_normalized"]

_WORK = 100_000_000  # characters of overlapping matches that are looked at


class Occurrences(NamedTuple):
    """The spans where a string occurs, overlapping or not; `complete` unless there are too many to list."""

    kind: MatchKind
    spans: list[Span]
    complete: bool


class Haystack:
    """A text in which strings are looked for.

    A CRLF is one line break: a match never begins between its two characters.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def find(self, old: str) -> Occurrences:
        """Find a string as it is; if it does not occur, without white space at the ends of lines."""
        starts, complete = _starts(self.text, old)
        if not starts:
            return self._stripped.find(old)
        split = {start for start in starts if self._splits_break(start)} if old[0] == "\n" else set[int]()
        spans = [(start - (start in split), start + len(old)) for start in starts]
        return Occurrences("whitespace_normalized" if split else "exact", spans, complete)

    def _splits_break(self, start: int) -> bool:
        return self.text[start - 1 : start] == "\r"

    @cached_property
    def _stripped(self) -> _Stripped:
        return _Stripped(self.text)


class _Stripped:
    """A text with LF as line break and no white space before it, and where each line was."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._kept = [line.rstrip() for line in self._lines]
        self._text = "\n".join(self._kept)
        self._starts = [0, *accumulate(len(line) + 1 for line in self._kept)]
        self._origins = [0, *accumulate(len(line) + 1 for line in self._lines)]

    def find(self, old: str) -> Occurrences:
        """Find a string; white space at its end matches only white space at the end of a line."""
        lines = old.split("\n")
        wanted = "\n".join(line.rstrip() for line in lines)
        if not wanted or (wanted.isspace() and wanted != old.replace("\r\n", "\n")):
            return Occurrences("whitespace_normalized", [], complete=True)
        to_line_end = lines[-1] != lines[-1].rstrip()
        starts, complete = _starts(self._text, wanted)
        ends = [(start, start + len(wanted)) for start in starts]
        spans = [
            (self._start(start), self._end(end, to_line_end))
            for start, end in ends
            if not to_line_end or self._text[end : end + 1] in ("", "\n")
        ]
        return Occurrences("whitespace_normalized", spans, complete)

    def _start(self, index: int) -> int:
        """Map the start of a match; a line break starts after the white space before it."""
        line = bisect_right(self._starts, index) - 1
        inside = index - self._starts[line]
        return self._break(line) if inside == len(self._kept[line]) else self._origins[line] + inside

    def _end(self, index: int, to_line_end: bool) -> int:
        line = bisect_right(self._starts, index) - 1
        return self._break(line) if to_line_end else self._origins[line] + index - self._starts[line]

    def _break(self, line: int) -> int:
        """Return where the line break after a line starts, or the text ends."""
        is_crlf = line + 1 < len(self._lines) and self._lines[line].endswith("\r")
        return self._origins[line] + len(self._lines[line]) - is_crlf


def _starts(text: str, old: str) -> tuple[list[int], bool]:
    """Find every place where a string starts, and whether these are all of them."""
    starts: list[int] = []
    at, work = text.find(old), _WORK
    while at >= 0 and work > 0:
        starts.append(at)
        work -= len(old)
        at = text.find(old, at + 1)
    return starts, at < 0
