"""Phrases: what people wrote, inside a line of ours."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from laconic.kit import one_line
from laconic.lazily import regex
from laconic.servers.issues.tolerant import written

__all__ = ["in_quotes", "lasting", "listed", "one_word"]

_AMBIGUOUS: Final = regex(r"""[,"\[\]]|\A\s|\s\Z|\A(?:none)?\Z""")  # in a list
_WORD: Final = regex(r"\w[\w-]*")
_WORDS: Final = regex(r"\w[\w-]*(?:, \w[\w-]*)*")


def listed(values: Iterable[str]) -> str:
    """Return texts on one line: those that could be taken for several, or for none, as JSON strings."""
    found = list(values)
    text = ", ".join(found)
    if _WORDS.fullmatch(text) and text.count(",") == len(found) - 1 and "none" not in found:
        return text  # most often
    return ", ".join([in_quotes(value) if _AMBIGUOUS.search(value) else one_line(value) for value in found])


@lru_cache(maxsize=256)  # they are few: statuses, priorities, types
def one_word(text: str) -> str:
    """Return a text as it is if it is a word, else between quotes."""
    return text if _WORD.fullmatch(text) else in_quotes(text)


def in_quotes(text: str) -> str:
    """Return a text between quotes, on one line, as a JSON string."""
    found = one_line(text)
    return written(text) if found == text else found


def lasting(seconds: float) -> str:
    """Return how long something lasts, after a comma; nothing if it is less than a minute."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f", {int(seconds // size)} {unit}"
    return ""
