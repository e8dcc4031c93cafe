"""Words of a search: each is the beginning of a word; `or`, `not`, parentheses and phrases are understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["Match", "match_of", "words_of"]

Match = Callable[[Sequence[str]], bool]
"""True if the words of a text are what was searched for."""

_PARTS: Final = re.compile(r'"[^"]*"|[()]|\w+')


def words_of(text: str) -> list[str]:
    """Return the words of a text."""
    return re.findall(r"\w+", text.lower())


def match_of(query: str) -> Match:
    """Read a query; whatever makes no sense in it is left out."""
    return _Reader(_PARTS.findall(query.lower())).whole()


class _Reader:
    """Reads the parts of a query from left to right."""

    def __init__(self, parts: list[str]) -> None:
        self._parts = parts

    def whole(self) -> Match:
        """Read everything, also after a parenthesis that closes nothing."""
        found = [self._any_of()]
        while self._take(")"):
            found.append(self._any_of())
        return lambda words: all(match(words) for match in found)

    def _any_of(self) -> Match:
        found = [self._all_of()]
        while self._take("or"):
            found.append(self._all_of())
        return lambda words: any(match(words) for match in found)

    def _all_of(self) -> Match:
        found: list[Match] = []
        while self._parts and self._parts[0] not in ("or", ")"):
            if not self._take("and"):
                found.append(self._one())
        return lambda words: all(match(words) for match in found)

    def _one(self) -> Match:
        if self._take("not"):
            inner = self._one() if self._parts else _nothing
            return lambda words: not inner(words)
        if self._take("("):
            group = self._any_of()
            self._take(")")
            return group
        part = self._parts.pop(0)
        if part.startswith('"'):
            phrase = words_of(part)
            return lambda words: _contains(words, phrase)
        return lambda words: any(word.startswith(part) for word in words)

    def _take(self, part: str) -> bool:
        is_next = self._parts[:1] == [part]
        if is_next:
            self._parts.pop(0)
        return is_next


def _nothing(words: Sequence[str]) -> bool:
    return False


def _contains(words: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return any(list(words[at : at + size]) == list(phrase) for at in range(len(words) - size + 1))
