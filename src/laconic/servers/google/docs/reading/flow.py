"""Flow: the text of a segment, and where each character of it is in Google's indices.

Google counts UTF-16 units; tables, rows and cells count, too, but have no text. An object in the text, such
as an image, is U+FFFC here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

OBJECT: Final = "\ufffc"
_NOT_TAKEN: Final = re.compile("[\x00-\x08\x0c-\x1f\ue000-\uf8ff\ud800-\udfff]")
Content = Sequence[Mapping[str, Any]]


def units(text: str) -> int:
    """Count the UTF-16 units of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def taken(text: str) -> str:
    """Return a text as Docs takes it: without control characters and those of private use."""
    return _NOT_TAKEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


class Flow:
    """The text of a segment with its indices."""

    def __init__(self, content: Content) -> None:
        self._starts: list[int] = []  # of each piece in the text
        self._indices: list[int] = []  # of each piece in the document
        pieces: list[str] = []
        length = 0
        for index, piece in _pieces(content):
            self._starts.append(length)
            self._indices.append(index)
            pieces.append(piece)
            length += len(piece)
        self._pieces = pieces
        self.text = "".join(pieces)
        self.end = content[-1].get("endIndex", 1) if content else 1

    def index(self, offset: int) -> int:
        """Return the index of the character at an offset; at the end, the index after the last one."""
        if not self._pieces:
            return self.end
        piece = max(0, bisect_right(self._starts, offset) - 1)
        return self._indices[piece] + units(self._pieces[piece][: offset - self._starts[piece]])

    def range(self, start: int, end: int) -> tuple[int, int]:
        """Return the indices of a part of the text: those of its first character, and after its last one."""
        if start >= end:
            return self.index(start), self.index(start)
        last = self.index(end - 1)
        return self.index(start), last + units(self.text[end - 1])

    def offset(self, index: int) -> int:
        """Return the offset of an index; inside a pair, a table's border or an object, the next before it."""
        if not self._pieces:
            return 0
        at = max(0, bisect_right(self._indices, index) - 1)
        piece, over = self._pieces[at], max(0, index - self._indices[at])
        if over >= units(piece):
            return self._starts[at] + len(piece)
        if len(piece) == units(piece):
            return self._starts[at] + over
        before = piece.encode("utf-16-le", "surrogatepass")[: 2 * over]
        return self._starts[at] + len(before.decode("utf-16-le", "ignore"))

    def is_whole(self, start: int, end: int) -> bool:
        """True if a part of the text does not go over the border of a table or a cell."""
        first, last = self.range(start, end)
        return last - first == units(self.text[start:end])


def _pieces(content: Content) -> Iterator[tuple[int, str]]:
    for element in content:
        if "paragraph" in element:
            for part in element["paragraph"].get("elements", ()):
                start = part.get("startIndex", 0)
                run = part.get("textRun")
                yield start, run.get("content", "") if run else OBJECT * (part.get("endIndex", start) - start)
        for row in element.get("table", {}).get("tableRows", ()):
            for cell in row.get("tableCells", ()):
                yield from _pieces(cell.get("content", ()))
        if "tableOfContents" in element:
            yield from _pieces(element["tableOfContents"].get("content", ()))
