"""Segments: some thousand folded texts in one file, one per line.

A file contains in this order: a head, the digests of the texts, where the line of each ends, the lines. A
segment never changes and refers to files by content, not by name, so any process may use it.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Final

from laconic.stores import Unreadable
from laconic.stores.durable import write_over

_MAGIC: Final = b"laconic texts 4\n"  # 3 had an index of words
_HEAD: Final = struct.Struct("=16sIQI")  # magic, texts, bytes of the lines, sum of what is between
_END: Final = b"\n"  # which no folded text contains


def write_segment(path: Path, texts: Mapping[int, bytes]) -> None:
    """Write folded texts, given by digest."""
    ends = array("Q", accumulate(len(text) + 1 for text in texts.values()))
    index = array("Q", texts).tobytes() + ends.tobytes()
    head = _HEAD.pack(_MAGIC, len(texts), ends[-1] if ends else 0, zlib.crc32(index))
    write_over(path, b"".join((head, index, _END.join((*texts.values(), b"")))))


class Segment:
    """A segment; of each text only its digest and its place stay in memory."""

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
            _, count, self.size, check = _HEAD.unpack(head)  # bytes of text
            index = file.read(16 * count)
            self._start = _HEAD.size + 16 * count
            if zlib.crc32(index) != check or os.fstat(file.fileno()).st_size != self._start + self.size:
                raise Unreadable(f"{path.name} is damaged.")
        self.digests: Final = array("Q", index[: 8 * count])
        self._ends = array("Q", index[8 * count :])

    def __len__(self) -> int:
        return len(self.digests)

    @contextmanager
    def opened(self) -> Iterator[mmap.mmap]:
        """Open the file for a search; nothing of it stays in memory afterwards.

        Raises:
            OSError: the file is gone, or cannot be read.
        """
        with self.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            yield content

    def holding(self, content: mmap.mmap, query: bytes) -> set[int]:
        """Return the digests of the texts that contain a folded query."""
        found: set[int] = set()
        at = content.find(query, self._start)
        while 0 <= at < self._start + self.size:
            number = bisect_right(self._ends, at - self._start)
            found.add(self.digests[number])
            at = content.find(query, self._start + self._ends[number])
        return found

    def texts(self, content: mmap.mmap, digests: Collection[int]) -> dict[int, bytes]:
        """Return those of some texts that are here."""
        starts = [self._start, *(self._start + end for end in self._ends)]
        return {
            digest: content[starts[number] : starts[number + 1] - 1]
            for number, digest in enumerate(self.digests)
            if digest in digests
        }
