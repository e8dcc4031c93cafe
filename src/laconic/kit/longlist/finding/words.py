"""Words: queries and names split into words, and words reduced to their stems."""

from __future__ import annotations

import re

from laconic.text.stems import singular, stem

__all__ = ["name_words", "plain_words", "query_words", "singular", "stem"]

_LONGEST = 400  # characters; the rest of a longer query is not about a tool
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_VALUES = re.compile(r"[\"“„«].+?[\"”“»]|\bhttps?://\S+|\b[\w.+-]+@[\w-]+\.[\w.]+")  # not words about tools
_SHORT_FORMS = ((r"n['\u2019]t\b", " not"), (r"['\u2019](?:s|re|ve|ll|m|d)\b", ""))


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
