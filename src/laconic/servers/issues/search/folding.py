"""Folding: texts and queries as comparable bytes, ignoring case and white space.

A text contains a query exactly if its folded bytes contain those of the query: folding works letter by
letter, and in UTF-8 no letter is part of another. Accents are folded to marks of their own, however they were
written, so a query without an accent finds letters that have one.
"""

from __future__ import annotations

import unicodedata


def fold(text: str) -> bytes:
    """Fold a text or a query."""
    return " ".join(fold_letters(text).split()).encode(errors="surrogatepass")


def fold_letters(text: str) -> str:
    """Fold the letters and leave the white space."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())
