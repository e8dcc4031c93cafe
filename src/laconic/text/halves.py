"""Halves of surrogate pairs: letters that no encoding has, so that nothing with one can be sent."""

import re
from typing import Final

__all__ = ["without_halves"]

_HALF: Final = re.compile("[\ud800-\udfff]")


def without_halves(text: str) -> str:
    """Return a text in which each half of a surrogate pair is U+FFFD, the sign for a letter that was lost."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)
