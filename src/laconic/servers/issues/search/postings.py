"""Postings: the numbers of the texts that contain a word, as two bytes each or one bit per text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Final

MOST_TEXTS: Final = 2048  # in a segment: numbers fit into two bytes, and building one takes little memory


class Bits:
    """The texts that contain any of several words, collected as bits."""

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
        """Return one bit per text, the first text lowest."""
        if self._few:
            self.bits |= _bits(self._few)
            self._few.clear()
        return self.bits


def pack(numbers: Sequence[int], texts: int) -> bytes:
    """Pack the ascending numbers of the texts of one word."""
    width = _width(texts)
    is_short = 2 * len(numbers) < width
    return array("H", numbers).tobytes() if is_short else _bits(numbers).to_bytes(width, "little")


def numbers_in(bits: int) -> list[int]:
    """Return the positions of the bits that are set, lowest first."""
    return [number for number, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"]


def _bits(numbers: Iterable[int]) -> int:
    flags = bytearray(MOST_TEXTS // 8)
    for number in numbers:
        flags[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(flags, "little")


def _width(texts: int) -> int:
    return (texts + 7) // 8
