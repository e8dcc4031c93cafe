"""Words of a text: folded so that case, line breaks and composed letters make no difference, and stemmed.

We do this ourselves, since SQLite and PostgreSQL would find different words in the same text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from laconic.text.stems import stem

__all__ = ["END", "FIELDS", "INSIDE", "LONGEST", "chunks", "fold", "grams", "is_unit", "junction"]
__all__ += ["junctions", "stems", "units"]

FIELDS: Final = ("name", "title", "description", "terms", "body")
_WORD: Final = re.compile(r"[^\W_]+")
_LONGEST_STEM: Final = 64  # characters
LONGEST: Final = 128  # characters of a chunk; longer ones are indexed in pieces
_STEP: Final = 32
INSIDE: Final = LONGEST - _STEP + 1  # characters: a text up to this long is always inside one chunk
END: Final = 3  # letters on each side of a junction
_UNITS: Final = (re.compile(r"\{\{[^{}]{1,80}\}\}"), re.compile(r"\{[^{}]{1,80}\}"))


def fold(text: str | None) -> str:
    """Return a text for comparison: without case, and with one space for any white space."""
    given = text or ""
    folded = unicodedata.normalize("NFKC", given.casefold())
    if not given.isascii():  # a sign such as ℡ has become capital letters
        folded = unicodedata.normalize("NFKC", folded.casefold())
    return " ".join(folded.split())


def stems(folded: str) -> list[str]:
    """Return the stems of the words of a folded text, each once, in order."""
    return [*dict.fromkeys(stem(word)[:_LONGEST_STEM] for word in dict.fromkeys(_WORD.findall(folded)))]


def chunks(folded: str) -> set[str]:
    """Return what is between spaces; of a long one pieces that overlap, from its start to its end."""
    found: set[str] = set()
    for chunk in set(folded.split(" ")):
        found.update((chunk,) if len(chunk) <= LONGEST else _pieces(chunk))
    return found - {""}


def _pieces(chunk: str) -> Iterator[str]:
    yield from (chunk[start : start + LONGEST] for start in range(0, len(chunk) - LONGEST, _STEP))
    yield chunk[-LONGEST:]


def grams(folded: str) -> set[str]:
    """Return all letters and signs, and all pairs of them that no space divides."""
    pairs = {one + other for one, other in {*pairwise(folded)} if one != " " != other}
    return pairs | {*folded} - {" "}


def junctions(folded: str) -> set[str]:
    """Return the junctions of all neighbouring chunks."""
    return {junction(left, right) for left, right in pairwise(folded.split(" "))}


def junction(left: str, right: str) -> str:
    """Return where two chunks meet: the end of the one and the start of the other."""
    return f"{left[-END:]} {right[:END]}"


def units(folded: str) -> set[str]:
    """Return the short texts in braces that have a space, such as `{{ code }}`, with their braces."""
    found = {unit for pattern in _UNITS for unit in pattern.findall(folded)} if "{" in folded else set()
    return {unit for unit in found if " " in unit}


def is_unit(folded: str) -> bool:
    """True if a text is one text in braces: wherever it appears, `units` finds it."""
    return " " in folded and any(pattern.fullmatch(folded) for pattern in _UNITS)
