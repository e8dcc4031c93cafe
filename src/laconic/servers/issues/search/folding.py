"""Folding: texts and queries as comparable bytes, ignoring case and white space; and their words.

A text contains a query exactly if its folded bytes contain those of the query: folding works letter by
letter, and in UTF-8 no letter is part of another. Accents are folded to marks of their own, however they were
written, so a query without an accent finds letters that have one. A word is a run of ASCII letters, digits,
`-`, `_` and bytes beyond ASCII, so the words of a text are all of it but ASCII punctuation and white space.
"""

from __future__ import annotations

import string
import unicodedata
from typing import Final, NamedTuple

_KEPT: Final = {*(string.ascii_letters + string.digits + "-_").encode(), *range(128, 256)}
_TO_WORDS: Final = bytes(byte if byte in _KEPT else 0x20 for byte in range(256))


def fold(text: str) -> bytes:
    """Fold a text or a query."""
    return " ".join(fold_letters(text).split()).encode(errors="surrogatepass")


def fold_letters(text: str) -> str:
    """Fold the letters and leave the white space."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


def words_of(folded: bytes) -> list[bytes]:
    """Split a folded text into words."""
    return folded.translate(_TO_WORDS).split()


class Piece(NamedTuple):
    """A part of a query that is in one word, and whether it must be the start or the end of that word."""

    part: bytes
    is_start: bool
    is_end: bool


def pieces_of(query: bytes) -> list[Piece]:
    """Split a folded query into the pieces that the words of a text must contain."""
    spaced = query.translate(_TO_WORDS)
    parts = spaced.split()
    last = len(parts) - 1
    return [
        Piece(part, number > 0 or spaced.startswith(b" "), number < last or spaced.endswith(b" "))
        for number, part in enumerate(parts)
    ]


def is_one_word(query: bytes) -> bool:
    """True if any match of a query is inside a single word."""
    return bool(query) and b" " not in query.translate(_TO_WORDS)
