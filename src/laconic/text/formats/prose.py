"""Prose: good places to end an excerpt of markdown or plain text, from a section down to a grapheme."""

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise

from laconic.text.formats.blocks import Blocks, Fence
from laconic.text.formats.table import pipe_tables
from laconic.text.graphemes import boundary, next_boundary
from laconic.text.lines import Span, line_spans

_SENTENCE = re.compile(
    r"[.!?\u2026][\"'\u201d\u2019\u00bb)\]]*\s+|[\u3002\uff01\uff1f][\u201d\u2019\u300d\u300f\uff09]*"
)
_WORD = re.compile(r"\s+")
_BLANK = re.compile(r"\s*+")
_LINK = re.compile(
    r"!?\[(?:[^\[\]]++|!?\[[^\[\]]*+\](?:\([^()\s]*+\))?)*+\](?:\((?:[^()]++|\([^()]*+\))*+\)|\[[^\[\]]*+\])"
    r"|<[a-zA-Z][^<>\s]*+>|https?://[^\s<>]++|``[^`]++``|`[^`]++`"
)
_LINK_START = re.compile(r"!?\[|<|`+|https?://")
_REACH = 2_000  # the longest link that is kept whole


class Prose:
    """A text with the positions where an excerpt may end, and the lines that are not cut."""

    def __init__(self, text: str, *, markdown: bool) -> None:
        lines = line_spans(text)
        found = Blocks(text)
        self.text = text
        self.fences: list[Fence] = found.fences
        self._tables: list[Span] = [(table[0][0], table[-1][1]) for table in pipe_tables(text, lines)]
        self._lines = [start for start, _ in lines]
        self._headings = [(mark.start, mark.end) for mark in found.headings] if markdown else []
        self._sections = [start for start, _ in self._headings]
        self._blocks = [
            after[0]
            for line, after in pairwise(lines)
            if text[slice(*line)].isspace() and not self.fence_at(after[0])
        ]

    def fence_at(self, index: int) -> Fence | None:
        """Find the fence that a cut at this index would split."""
        number = bisect_left(self.fences, (index,)) - 1
        return self.fences[number] if number >= 0 and index < self.fences[number].end else None

    def last_cut(self, start: int, limit: int) -> int:
        """Find the best end after a start, up to a limit; beyond it only if one line must stay whole.

        Any end in the second half will do; the better kinds of end are tried first.
        """
        half = start + (limit - start) // 2
        if (cut := _last(self._sections, limit)) > half:
            return cut
        if (cut := _last(self._blocks, limit)) > half:
            return self._before_heading(start, cut)
        line = max(start, self.line_before(limit))
        fence = self.fence_at(line)
        if fence and fence.start > half:
            return fence.start
        if line > half:
            cut = self._outside_links(start, line)
            return self._before_heading(start, cut if cut > start else line)
        if self._is_whole(line):
            return line if line > start else self._line_end(line)
        return self._inside(start, half, limit)

    def _before_heading(self, start: int, cut: int) -> int:
        """Move a cut before the heading just above it: a heading belongs to what follows."""
        number = bisect_left(self._headings, (cut,)) - 1
        head, after = self._headings[number] if number >= 0 else (0, 0)
        return head if head > start and _BLANK.fullmatch(self.text, after, cut) else cut

    def line_before(self, index: int) -> int:
        """Find the last line that starts at or before an index."""
        return _last(self._lines, index)

    def _is_whole(self, line: int) -> bool:
        number = bisect_right(self._tables, (line, len(self.text))) - 1
        return self._is_fenced(line) or (number >= 0 and line < self._tables[number][1])

    def _is_fenced(self, line: int) -> bool:
        number = bisect_right(self.fences, (line, len(self.text))) - 1
        return number >= 0 and line < self.fences[number].end

    def _line_end(self, line: int) -> int:
        number = bisect_right(self._lines, line)
        return self._lines[number] if number < len(self._lines) else len(self.text)

    def _inside(self, start: int, half: int, limit: int) -> int:
        """Find an end inside a long line: after a sentence, a word, or at least a grapheme, outside links."""
        ends = [_last_match(pattern, self.text, half, limit) for pattern in (_SENTENCE, _WORD)]
        for end in (*ends, limit):
            cut = self._outside_links(start, boundary(self.text, end, start))
            if cut > start:
                return cut
        cut = boundary(self.text, limit, start)
        return cut if cut > start else next_boundary(self.text, limit, start)

    def _outside_links(self, start: int, cut: int) -> int:
        line = self.line_before(max(start, cut - 1))
        if cut <= start or self._is_whole(line):
            return cut
        at = max(start, line, cut - _REACH)
        while found := _LINK_START.search(self.text, at, cut):
            link = _LINK.match(self.text, found.start(), found.start() + _REACH)
            if link and link.end() > cut:
                return found.start()
            at = link.end() if link else found.end()
        return cut


def _last_match(pattern: re.Pattern[str], text: str, start: int, limit: int) -> int:
    ends = [found.end() for found in pattern.finditer(text, start, limit)]
    return ends[-1] if ends else 0


def _last(places: list[int], limit: int) -> int:
    number = bisect_right(places, limit)
    return places[number - 1] if number else 0
