"""Words of a text: folded so that case, line breaks and composed letters make no difference, and stemmed.

We do this ourselves, since SQLite and PostgreSQL would find different words in the same text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from laconic.text.stems import stem

__all__ = ["fold", "is_token", "stems", "tokens", "weigh"]

_WORD: Final = re.compile(r"[^\W_]+")
_TOKEN: Final = re.compile("[0-9a-z\x80-\U0010ffff]+")  # what FTS5 takes for one with its tokenizer `ascii`
_LONGEST: Final = 64  # characters of a word; longer ones are found by their text


def fold(text: str | None) -> str:
    """Return a text for comparison: without case, and with one space for any white space."""
    given = text or ""
    folded = unicodedata.normalize("NFKC", given.casefold())
    if not given.isascii():  # a sign such as ℡ has become capital letters
        folded = unicodedata.normalize("NFKC", folded.casefold())
    return " ".join(folded.split())


def stems(folded: str) -> list[str]:
    """Return the stems of the words of a folded text, in order."""
    return [stem(word)[:_LONGEST] for word in _WORD.findall(folded)]


def tokens(folded: str) -> set[str]:
    """Return the runs of letters in a folded text: a text that is one is inside another one."""
    return set(_TOKEN.findall(folded))


def is_token(folded: str) -> bool:
    """True if a text is one run of letters."""
    return _TOKEN.fullmatch(folded) is not None


def weigh(folded: Mapping[str, str], weights: Mapping[str, int]) -> dict[str, int]:
    """Return each stem with the sum of the weights of the fields that have it."""
    found: dict[str, int] = {}
    for field, text in folded.items():
        for word in set(stems(text)):
            found[word] = found.get(word, 0) + weights[field]
    return found
