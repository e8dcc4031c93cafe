"""Stems: what the forms of an English word share."""

import re
from functools import lru_cache
from typing import Final

__all__ = ["singular", "stem"]

_ENDS: Final = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"))
_VOWEL: Final = re.compile("[aeiouy]")
_remembered = lru_cache(maxsize=1 << 15)


@_remembered
def singular(word: str) -> str:
    """Drop the ending of a plural."""
    if len(word) <= 3:
        return word
    for end, instead in _ENDS:
        if word.endswith(end):
            return word[: -len(end)] + instead
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@_remembered
def stem(word: str) -> str:
    """Return the stem of a lower-case word, which its forms share: `sharing` and `shares` are `shar`."""
    word = singular(word)
    if len(word) <= 3:
        return word
    for end in ("ically", "ing", "ed", "ly"):
        rest = word[: -len(end)]
        if word.endswith(end) and len(rest) >= 3 and _VOWEL.search(rest):
            word = rest + "ic" if end == "ically" else _undoubled(rest)
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _undoubled(rest: str) -> str:
    """Undo a doubled consonant: `mapp` was `map`, `add` is `add`."""
    return rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
