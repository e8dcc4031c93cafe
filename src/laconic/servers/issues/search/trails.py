"""Trails: which frequent words are adjacent in a text, with one byte per word of the text.

Almost every text contains all words of a phrase like `of the file`, so postings exclude nothing, and scanning
all texts is slow. A trail is a sixth as long as its text: for each word its number among the most frequent
ones, or zero. Where two numbers are adjacent, so are the words, with no other word between them.
"""

from __future__ import annotations

import mmap
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Final

FREQUENT: Final = 254  # words that have a number, starting at 1
_END: Final = b"\xff"


def trail_of(words: Sequence[bytes], codes: Mapping[bytes, int]) -> bytes:
    """Return the trail of a text."""
    return bytes(map(codes.get, words, repeat(0))) + _END


class Trails:
    """The trails of an open segment."""

    def __init__(self, content: mmap.mmap, start: int, ends: int, texts: int) -> None:
        self._content, self._start = content, start
        self._ends_at, self._texts = ends, texts

    def find(self, first: Sequence[int], second: Sequence[int]) -> int:
        """Return the texts where a first word comes right before a second one: one bit per text."""
        found = bytearray(self._texts // 8 + 1)
        if first and second:
            for number in self._texts_with(b"[%b][%b]" % (_any_of(first), _any_of(second))):
                found[number >> 3] |= 1 << (number & 7)
        return int.from_bytes(found, "little")

    def _texts_with(self, pair: bytes) -> Iterator[int]:
        ends = array("Q", self._content[self._ends_at : self._ends_at + 8 * self._texts])
        trails = self._content[self._start : self._start + ends[-1]]
        look = re.compile(pair, re.DOTALL).search  # twice as fast as searching for two bytes
        match = look(trails)
        while match is not None:
            number = bisect_right(ends, match.start())
            yield number
            match = look(trails, ends[number])


def _any_of(codes: Sequence[int]) -> bytes:
    return b"".join(b"\\x%02x" % code for code in codes)
