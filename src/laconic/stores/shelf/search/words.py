"""Words of a text: folded so that case, line breaks and composed letters make no difference, and stemmed.

We do this ourselves, since SQLite and PostgreSQL would find different words in the same text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from laconic.text.stems import stem

__all__ = ["fold", "stems", "weigh"]

_WORD: Final = re.compile(r"[^\W_]+")
_LONGEST: Final = 64  # characters of a word; longer ones are found by their text


def fold(text: str | None) -> str:
    """Return a text for comparison: without case, and with one space for any white space."""
    return " ".join(unicodedata.normalize("NFKC", (text or "").casefold()).split())


def stems(folded: str) -> list[str]:
    """Return the stems of the words of a folded text, in order."""
    return [stem(word)[:_LONGEST] for word in _WORD.findall(folded)]


def weigh(folded: Mapping[str, str], weights: Mapping[str, int]) -> dict[str, int]:
    """Return each stem with the sum of the weights of the fields that have it."""
    found: dict[str, int] = {}
    for field, text in folded.items():
        for word in set(stems(text)):
            found[word] = found.get(word, 0) + weights[field]
    return found
