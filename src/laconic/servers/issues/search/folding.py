"""Texts and queries made comparable: case folded, white space evened, as bytes; and their words.

A query is found in a text exactly if its folded bytes are found in the text's: folding works letter by letter
and UTF-8 never takes one letter for a part of another. A word is a run of ASCII letters, digits, `-` and `_`
and of all bytes beyond ASCII, so that a text's words hold everything but ASCII punctuation and blanks.
"""

from __future__ import annotations

import string
from typing import Final, NamedTuple

_KEPT: Final = {*(string.ascii_letters + string.digits + "-_").encode(), *range(128, 256)}
_TO_WORDS: Final = bytes(byte if byte in _KEPT else 0x20 for byte in range(256))


def fold(text: str) -> bytes:
    """Fold a text or a query."""
    return " ".join(text.casefold().split()).encode(errors="surrogatepass")


def words_of(folded: bytes) -> list[bytes]:
    """Part a folded text into its words."""
    return folded.translate(_TO_WORDS).split()


class Piece(NamedTuple):
    """A part of a query that lies in one word, and whether it is that word's beginning and its end."""

    part: bytes
    is_start: bool
    is_end: bool


def pieces_of(query: bytes) -> list[Piece]:
    """Part a folded query into what must be found in the words of a text."""
    spaced = query.translate(_TO_WORDS)
    parts = spaced.split()
    last = len(parts) - 1
    return [
        Piece(part, number > 0 or spaced.startswith(b" "), number < last or spaced.endswith(b" "))
        for number, part in enumerate(parts)
    ]


def is_one_word(query: bytes) -> bool:
    """Whether a query lies within a word wherever it is found."""
    return bool(query) and b" " not in query.translate(_TO_WORDS)
