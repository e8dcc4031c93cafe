"""Folding: texts and queries as comparable bytes, ignoring case and white space.

A text contains a query exactly if its folded bytes contain those of the query: folding works letter by
letter, and in UTF-8 no letter is part of another. Accents are folded to marks of their own, however they were
written, so a query without an accent finds letters that have one.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_RUNS: Final = re.compile(rb"[\x21-\x7e]+")
# In UTF-8, all characters beyond ASCII whose folded form has some of ASCII, and a few more: letters with
# accents, ligatures, the Kelvin and the Angstrom sign, crossed-out punctuation.
_FOLDING_TO_ASCII: Final = re.compile(
    rb"[\xc3-\xc9]|\xcd\xbe|\xe1(?:[\xb8-\xbb]|\xbf\xaf)|\xe2(?:\x84[\xaa\xab]|\x89[\xa0\xae\xaf])|\xef\xac[\x80-\x86]"
)


def fold(text: str) -> bytes:
    """Fold a text or a query."""
    return " ".join(fold_letters(text).split()).encode(errors="surrogatepass")


def fold_letters(text: str) -> str:
    """Fold the letters and leave the white space."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


class Sieve:
    """Tells of most files without the query that they cannot contain it, from their bytes as they are."""

    def __init__(self, query: bytes) -> None:
        self._is_ascii = query.isascii()
        self._runs = sorted(_RUNS.findall(query), key=len, reverse=True)

    def lets_pass(self, content: bytes, lowered: bytes) -> bool:
        """Return False if a content, of which `lowered` is the lower-case form, cannot contain the query."""
        is_ascii = content.isascii()
        if is_ascii and not self._is_ascii:
            return False
        if all(run in lowered for run in self._runs):
            return True
        return not is_ascii and _FOLDING_TO_ASCII.search(content) is not None
