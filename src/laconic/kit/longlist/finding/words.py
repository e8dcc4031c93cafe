"""Words: queries and names split into words, and words reduced to their stems."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["name_words", "plain_words", "query_words", "singular", "stem"]

_LONGEST = 400  # characters; the rest of a longer query is not about a tool
_ENDS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"))
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_VALUES = re.compile(r"[\"“„«].+?[\"”“»]|\bhttps?://\S+|\b[\w.+-]+@[\w-]+\.[\w.]+")  # not words about tools
_SHORT_FORMS = ((r"n['\u2019]t\b", " not"), (r"['\u2019](?:s|re|ve|ll|m|d)\b", ""))


@cache
def singular(word: str) -> str:
    """Drop the ending of a plural."""
    if len(word) <= 3:
        return word
    for end, instead in _ENDS:
        if word.endswith(end):
            return word[: -len(end)] + instead
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@cache
def stem(word: str) -> str:
    """Return the stem of a lower-case word, which its forms share: `sharing` and `shares` are `shar`."""
    word = singular(word)
    if len(word) <= 3:
        return word
    for end in ("ically", "ing", "ed", "ly"):
        rest = word[: -len(end)]
        if word.endswith(end) and len(rest) >= 3 and re.search("[aeiouy]", rest):
            word = rest + "ic" if end == "ically" else _undoubled(rest)
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _undoubled(rest: str) -> str:
    """Undo a doubled consonant: `mapp` was `map`, `add` is `add`."""
    return rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest


def name_words(name: str) -> list[str]:
    """Return the words of a name in camel, snake or dotted case, in lower case."""
    return [word.lower() for word in _HUMPS.split(name) if word]


def plain_words(text: str) -> list[str]:
    """Return the words of a sentence, in lower case."""
    return re.findall(r"[^\W_]+", text.lower())


def query_words(query: str) -> list[str]:
    """Return the words of a query without quoted texts and addresses; only the beginning of a long one."""
    query = _VALUES.sub(" ", query[:_LONGEST])
    for pattern, instead in _SHORT_FORMS:
        query = re.sub(pattern, instead, query)
    return [word for part in re.findall(r"[^\W_]+", query) for word in name_words(part)]
