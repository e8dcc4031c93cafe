"""Postings: the numbers of the texts that hold a word, two bytes each or a bit for each text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Final

MOST_TEXTS: Final = 2048  # in a segment: their numbers fit two bytes, and building one takes little memory


class Bits:
    """The texts that any of several words is in."""

    def __init__(self, texts: int) -> None:
        self.bits = 0
        self._few: set[int] = set()
        self._width = _width(texts)

    def add(self, posting: bytes) -> None:
        """Add the texts of one word."""
        if len(posting) == self._width:
            self.bits |= int.from_bytes(posting, "little")
        else:
            self._few.update(array("H", posting))

    def all(self) -> int:
        """Return a bit for each text, the first one's lowest."""
        if self._few:
            self.bits |= _bits(self._few)
            self._few.clear()
        return self.bits


def pack(numbers: Sequence[int], texts: int) -> bytes:
    """Write the texts of one word, whose numbers rise."""
    width = _width(texts)
    is_short = 2 * len(numbers) < width
    return array("H", numbers).tobytes() if is_short else _bits(numbers).to_bytes(width, "little")


def numbers_in(bits: int) -> list[int]:
    """Number the bits that are set, lowest first."""
    return [number for number, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"]


def _bits(numbers: Iterable[int]) -> int:
    flags = bytearray(MOST_TEXTS // 8)
    for number in numbers:
        flags[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(flags, "little")


def _width(texts: int) -> int:
    return (texts + 7) // 8
