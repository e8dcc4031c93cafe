"""Segments: some thousand texts in one file with an index of their words, searched without being loaded.

A file contains in this order: a head, the digests of the texts, where each text ends, where each trail ends,
where each word's postings end, the words (most frequent first, one per line), the postings, the trails, the
texts. Postings are the numbers of the texts that contain a word, as two bytes each or, where that is shorter,
as one bit per text; trails show which frequent words are adjacent. A segment never changes and refers to
files by content, not by name, so any process may use it.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

from laconic.servers.issues.search.folding import Piece, is_one_word, pieces_of, words_of
from laconic.servers.issues.search.postings import Bits, numbers_in, pack
from laconic.servers.issues.search.trails import FREQUENT, Trails, trail_of
from laconic.stores import Unreadable
from laconic.stores.durable import write_over

_MAGIC: Final = b"laconic texts 3\n"
_HEAD: Final = struct.Struct(
    "=16sIIQQQQI"
)  # magic, texts, words; bytes of words, postings, trails, texts; sum
_SCAN_INSTEAD: Final = 4  # scanning a text costs about as much as the postings of so many words
_WORTH_A_TRAIL: Final = 8  # if more than this part of the texts is left, trails are faster than scanning
_MOST_WORDS: Final = 64  # that contain a piece: with more, trails are not used


def write_segment(path: Path, texts: Mapping[int, bytes]) -> None:
    """Write folded texts, given by digest."""
    postings: defaultdict[bytes, list[int]] = defaultdict(list)
    for number, text in enumerate(texts.values()):
        for word in {*words_of(text)}:
            postings[word].append(number)
    words = sorted(postings, key=lambda word: -len(postings[word]))
    packed = [pack(postings.pop(word), len(texts)) for word in words]
    codes = {word: code for code, word in enumerate(words[:FREQUENT], 1)}
    trails = [trail_of(words_of(text), codes) for text in texts.values()]
    index = b"".join(
        (
            array("Q", texts).tobytes(),
            array("Q", _ends(map(len, texts.values()))).tobytes(),
            array("Q", _ends(map(len, trails))).tobytes(),
            array("Q", _ends(map(len, packed))).tobytes(),
            b"\n" + b"".join(word + b"\n" for word in words),
            *packed,
            *trails,
        )
    )
    sizes = [sum(map(len, words)) + len(words) + 1, *(sum(map(len, part)) for part in (packed, trails))]
    head = _HEAD.pack(
        _MAGIC, len(texts), len(words), *sizes, sum(map(len, texts.values())), zlib.crc32(index)
    )
    write_over(path, b"".join((head, index, *texts.values())))


class Segment:
    """A segment; only the digests of its texts stay in memory."""

    def __init__(self, path: Path) -> None:
        """Read and check the index.

        Raises:
            Unreadable: the file is not in our format.
            OSError: it cannot be read.
        """
        self.path: Final = path
        with path.open("rb") as file:
            head = file.read(_HEAD.size)
            if len(head) < _HEAD.size or not head.startswith(_MAGIC):
                raise Unreadable(f"{path.name} is not a segment.")
            _, count, words, names, postings, trails, texts, check = _HEAD.unpack(head)
            parts = (8 * count, 8 * count, 8 * count, 8 * words, names, postings, trails, texts)
            self._starts: tuple[int, ...] = (_HEAD.size, *_ends(parts, _HEAD.size))
            content = file.read(self._starts[-2] - _HEAD.size)
            if zlib.crc32(content) != check or os.fstat(file.fileno()).st_size != self._starts[-1]:
                raise Unreadable(f"{path.name} is damaged.")
        self.digests: Final = array("Q", content[: 8 * count])
        self.size: Final = texts  # bytes of text

    def __len__(self) -> int:
        return len(self.digests)

    def named(self, bits: int) -> set[int]:
        """Return the digests of the texts whose bits are set."""
        if bits.bit_count() == len(self):
            return set(self.digests)
        return {self.digests[number] for number in numbers_in(bits)}

    @contextmanager
    def opened(self) -> Iterator[OpenSegment]:
        """Open the file for a search; nothing of it stays in memory afterwards."""
        with self.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            yield OpenSegment(content, len(self), self._starts)


class OpenSegment:
    """A segment's file, mapped into memory."""

    def __init__(self, content: mmap.mmap, texts: int, starts: tuple[int, ...]) -> None:
        self._content = content
        self._texts = texts
        _, ends, trails_ends, self._postings_ends, self._words, self._postings, trails, self._bodies, _ = (
            starts
        )
        self._ends = array("Q", content[ends:trails_ends])
        self._trails = Trails(content, trails, trails_ends, texts)
        self._names = content[self._words : self._postings]
        self._known: dict[Piece, list[int]] = {}
        self._all: Final = (1 << texts) - 1

    def find(self, query: bytes) -> int:
        """Return which texts contain a folded query: one bit per text, the first text lowest."""
        if not query:
            return self._all
        if is_one_word(query):
            return self._holding(Piece(query, is_start=False, is_end=False))
        left, pieces = self._all, pieces_of(query)
        for piece in sorted(pieces, key=lambda piece: -len(piece.part)):
            left &= self._holding(piece) if left else 0
        for pair in pairwise(pieces):
            if left.bit_count() > self._texts // _WORTH_A_TRAIL:
                left &= self._side_by_side(*pair)
        return self._scanned(query, left)

    def text(self, number: int) -> bytes:
        """Return a folded text."""
        return self._content[self._span(number)]

    def _span(self, number: int) -> slice:
        start = self._ends[number - 1] if number else 0
        return slice(self._bodies + start, self._bodies + self._ends[number])

    def _scanned(self, query: bytes, among: int) -> int:
        """Search the texts themselves."""
        found, look = 0, self._content.find
        for number in numbers_in(among):
            span = self._span(number)
            if look(query, span.start, span.stop) >= 0:
                found |= 1 << number
        return found

    def _holding(self, piece: Piece) -> int:
        """Return which texts have a word that contains the piece."""
        found = Bits(self._texts)
        for tried, word in enumerate(self._matching(piece), 1):
            found.add(self._posting(word))
            if tried % 64 == 0 or found.bits == self._all:
                left = self._all & ~found.all()
                if tried > _SCAN_INSTEAD * left.bit_count():
                    return found.bits | (self._scanned(piece.part, left) if _is_inside(piece) else left)
        return found.all()

    def _side_by_side(self, first: Piece, second: Piece) -> int:
        """Return which texts may contain two pieces in adjacent words."""
        words = [list(islice(self._matching(piece), _MOST_WORDS + 1)) for piece in (first, second)]
        if max(map(len, words)) > _MOST_WORDS:
            return self._all
        rare = Bits(self._texts)
        for word in [*words[0], *words[1]]:
            if word >= FREQUENT:
                rare.add(self._posting(word))
        frequent = [[word + 1 for word in part if word < FREQUENT] for part in words]
        return rare.all() | self._trails.find(*frequent)

    def _matching(self, piece: Piece) -> Iterator[int]:
        """Return the numbers of the words that contain the piece, most frequent first."""
        if piece in self._known:
            yield from self._known[piece]
            return
        wanted = b"\n" * piece.is_start + piece.part + b"\n" * piece.is_end
        found: list[int] = []
        number, seen, at = 0, 1, self._names.find(wanted)
        while at >= 0:
            number += self._names.count(b"\n", seen, at + piece.is_start)
            found.append(number)
            yield number
            seen = at + len(wanted) - piece.is_end
            at = self._names.find(wanted, self._names.find(b"\n", seen))
        self._known[piece] = found

    def _posting(self, word: int) -> bytes:
        first, last = word * 8 + self._postings_ends - 8, word * 8 + self._postings_ends + 8
        start, stop = struct.unpack("=QQ", self._content[first:last])
        start = start if word else 0
        return self._content[self._postings + start : self._postings + stop]


def _is_inside(piece: Piece) -> bool:
    return not (piece.is_start or piece.is_end)


def _ends(lengths: Iterable[int], start: int = 0) -> Iterator[int]:
    for length in lengths:
        start += length
        yield start
