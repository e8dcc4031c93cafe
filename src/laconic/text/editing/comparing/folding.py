"""Folding: a text without case, with plain quotes and single blanks, and where each part of it was."""

import unicodedata
from bisect import bisect_right
from itertools import accumulate

from laconic.text.lines import Span

QUOTES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`\u2039\u203a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
)
"""Typographic quotes, and the plain ones they are typed for."""

DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad", "-"))
"""Dashes, and the hyphen they are typed for."""


class _Foldings(dict[int, str]):
    """What each character is folded to, computed when it is first seen."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(chr(code))
        return folded


def _folded(letter: str) -> str:
    plain = letter.translate(QUOTES).translate(DASHES)
    if plain != letter:
        return plain
    if is_invisible(letter):
        return ""
    return unicodedata.normalize("NFKD", letter.casefold()).casefold()


def is_invisible(letter: str) -> bool:
    """True for characters that take no space: joiners, marks of direction and order, soft hyphens."""
    return unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f"


def fold(text: str) -> str:
    """Fold a text: texts that look alike are folded to the same."""
    return " ".join(text.translate(_Foldings()).split())


class Folded:
    """A folded text, line by line, in which places of the original can be found."""

    def __init__(self, text: str) -> None:
        self._table = _Foldings()
        self._lines = text.split("\n")
        self._origins = [0, *accumulate(len(line) + 1 for line in self._lines)]
        self.lines = [" ".join(line.translate(self._table).split()) for line in self._lines]
        self._filled = [number for number, line in enumerate(self.lines) if line]
        self.text = " ".join(self.lines[number] for number in self._filled)
        self._latest: tuple[int, list[int]] = (
            -1,
            [],
        )  # the line that was looked at last: it may be a long one
        self._starts = [0, *accumulate(len(self.lines[number]) + 1 for number in self._filled)]

    def origin(self, start: int, end: int) -> Span:
        """Return the span of the original that a span of the folded text comes from."""
        return self._index(start), self._index(end - 1) + 1

    def _index(self, index: int) -> int:
        place = bisect_right(self._starts, index) - 1
        number = self._filled[place]
        inside = self._inside(number)
        return self._origins[number] + inside[min(index - self._starts[place], len(inside) - 1)]

    def _inside(self, number: int) -> list[int]:
        """Return for each character of a folded line which one of the original it comes from."""
        if self._latest[0] != number:
            self._latest = number, self._inside_of(self._lines[number])
        return self._latest[1]

    def _inside_of(self, line: str) -> list[int]:
        origins: list[int] = []
        is_blank = True
        for index, letter in enumerate(line):
            for folded in letter.translate(self._table):
                if not (is_blank and folded.isspace()):
                    origins.append(index)
                is_blank = folded.isspace()
        return origins
