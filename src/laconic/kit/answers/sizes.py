"""Sizes: how many bytes an answer may have, block by block and together."""

from __future__ import annotations

from dataclasses import replace
from types import NoneType
from typing import Any, Final

from laconic.data import dataclass
from laconic.kit.answers.content import Audio, Image, Message, Resource, Text
from laconic.kit.answers.images import fitted, in_bytes
from laconic.kit.errors import TooLarge
from laconic.text.halves import without_halves

__all__ = ["Sizes"]

_DATA: Final = (Image, Audio, Resource, Message, bytes)
_SMALL: Final = frozenset({str, dict, int, bool, NoneType})
_KINDS: Final = {Image: "image", Audio: "sound", Text: "text", str: "text"}


@dataclass(frozen=True)
class Sizes:
    """The most bytes of an image, of any other block, and of all blocks together."""

    image: int
    block: int
    together: int

    def fitted(self, value: Any, *, texts: bool = False) -> Any:
        """Return what a function returned with every image small enough; `texts` counts texts, too.

        Raises:
            TooLarge: a block is too large and cannot be scaled down, or all of them are together.
        """
        if not texts and type(value) in _SMALL:
            return value  # nearly every answer
        parts = list(value) if isinstance(value, list | tuple) else [value]
        if not texts and not any(isinstance(part, _DATA) for part in parts):
            return value
        parts = [self._part(part, texts) for part in parts]
        total = sum(_size(part, texts) for part in parts)
        if len(parts) > 1 and total > self.together:
            these, most = f"These {len(parts)} parts have {in_bytes(total)}", in_bytes(self.together)
            raise TooLarge(f"{these}; an answer takes {most}.", advice="Ask for fewer at once.")
        return parts if isinstance(value, list | tuple) else parts[0]

    def _part(self, part: Any, texts: bool) -> Any:
        if isinstance(part, Message):
            return replace(part, content=self._part(part.content, texts))
        if isinstance(part, Image):
            return fitted(part, self.image)
        size = _size(part, texts)
        if size > self.block:
            what = _KINDS.get(type(part), "document")
            raise TooLarge(
                f"The {what} has {in_bytes(size)}; an answer takes {in_bytes(self.block)}.",
                advice="Ask for a part of it.",
            )
        return part


def _size(part: Any, texts: bool) -> int:
    """Return the bytes of a block; the budget limits texts, except where they are sent whole."""
    if isinstance(part, Message):
        return _size(part.content, texts)
    if isinstance(part, Resource):
        return _size(part.content, texts)
    if isinstance(part, Image | Audio):
        return len(part.data)
    if isinstance(part, bytes):
        return len(part)
    words = part.text if isinstance(part, Text) else part
    return len(without_halves(words).encode()) if texts and isinstance(words, str) else 0
