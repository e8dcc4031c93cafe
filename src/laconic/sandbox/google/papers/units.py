"""Units: Docs counts UTF-16 code units, so a letter beyond U+FFFF counts twice."""

from __future__ import annotations

import re
from typing import Final

from laconic.sandbox.google.refusals import GoogleRefusal, bad_request
from laconic.text.graphemes import next_boundary
from laconic.text.halves import without_halves

__all__ = ["after_grapheme", "cleaned", "half_pair", "offset", "units"]

_STRIPPED: Final = re.compile("[\x00-\x08\x0c-\x1f\ue000-\uf8ff]")


def units(text: str) -> int:
    """Return how long a text is."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def offset(text: str, at: int) -> int:
    """Return the place in a text of a unit.

    Raises:
        GoogleRefusal: it is the second half of a surrogate pair.
    """
    if text.isascii():
        return at
    coded = text.encode("utf-16-le", "surrogatepass")
    if 2 * at < len(coded) and 0xDC <= coded[2 * at + 1] <= 0xDF:
        raise half_pair()
    return len(coded[: 2 * at].decode("utf-16-le"))


def after_grapheme(text: str, at: int) -> int:
    """Return the unit after the grapheme that a unit is inside of; any other unit as it is."""
    if text.isascii():
        return at
    coded = text.encode("utf-16-le", "surrogatepass")
    whole = len(coded[: 2 * at].decode("utf-16-le", "ignore"))
    is_half = units(text[:whole]) < at
    return units(text[: next_boundary(text, whole + is_half)])


def half_pair() -> GoogleRefusal:
    """Return the refusal of an index between the two halves of a surrogate pair."""
    return bad_request("The range cannot begin or end inside a surrogate pair.")


def cleaned(text: str) -> str:
    """Return what is kept of a text that is inserted."""
    return _STRIPPED.sub("", without_halves(text))
