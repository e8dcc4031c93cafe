"""Words: questions and names split into words, and words reduced to their stems."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = [
    "START",
    "ParsedQuestion",
    "likeness",
    "name_words",
    "parse_question",
    "plain_words",
    "singular",
    "stem",
]

START: Final = "^"  # comes before the first word
_LONGEST = 400  # characters; the rest of a longer question is not about a tool
_ENDS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"))
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_WORD = re.compile(r"<\w+>|[^\W\d_]+(?:-[^\W\d_]+)*")
_ARTICLES = frozenset(
    re.findall(r"\w+", "a an the my our your his her its their this that these those please")
)
_WHERE = frozenset(re.findall(r"\w+", "in on of from to at inside into onto under with for"))
_POINTING = _ARTICLES | _WHERE
_PLAIN = re.compile("[a-z ,;:?!-]*")  # contains no values
_VALUES = (  # values, which are not words about tools, and their placeholders
    ("<text>", re.compile(r"[\"“„«].+?[\"”“»]|(?<!\w)['\u2018].+?['\u2019](?!\w)|\{\{?[^}]*\}\}?")),
    ("<image>", re.compile(r"\b(?:https?://|www\.)?\S+\.(?:png|jpe?g|gif|svg|webp)\b")),
    ("<link>", re.compile(r"\bhttps?://\S+|\bwww\.\S+")),
    ("<email>", re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.]+")),
    ("<range>", re.compile(r"\b(?!Q[1-4]\b|A[345]\b)[A-Z]{1,2}\d+(?::[A-Z]{1,2}\d+)?\b|\b[A-Z]:[A-Z]\b")),
    ("<text>", re.compile(r"\b(?:named|called|titled|with (?:the )?(?:title|name)) [A-Z]\w*(?: \w+$)?")),
    ("<letter>", re.compile(r"(?<=\w )[A-HJ-Z]\b(?!['.])")),  # a column; I is a person
    ("<number>", re.compile(r"\b\d[\d.,]*\b")),
)


@cache
def singular(word: str) -> str:
    """Drop the ending of a plural."""
    if len(word) <= 3 or word[0] == "<":
        return word
    for end, instead in _ENDS:
        if word.endswith(end):
            return word[: -len(end)] + instead
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@cache
def stem(word: str) -> str:
    """Return the stem of a lower-case word, which its forms share: `sharing` and `shares` are `shar`."""
    word = singular(word)
    if len(word) <= 3 or word[0] == "<":
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


@dataclass(frozen=True)
class ParsedQuestion:
    """A question as words in lower case, after a mark for the start, with placeholders for values."""

    words: tuple[str, ...]
    proper: frozenset[int]  # places of capitalised words, probably names
    tail: frozenset[int]  # places after the first preposition: where, rather than what

    def is_article(self, place: int) -> bool:
        """True if a word is an article or the like."""
        return self.words[place] in _ARTICLES


def parse_question(question: str) -> ParsedQuestion:
    """Split a question into words; only the beginning of a very long one."""
    question = question[:_LONGEST]
    if not _PLAIN.fullmatch(question):
        for kind, pattern in _VALUES:
            question = pattern.sub(f" {kind} ", question)
        question = re.sub("(?<=[a-z])([A-Z])", lambda hump: f" {hump[1].lower()}", question)
        question = re.sub(r"n['\u2019]t\b", " not", re.sub(r"['\u2019]s\b", "", question))
    found = _WORD.findall(question)
    words = [word.lower() for word in found]
    first = next((place for place, word in enumerate(words, 1) if word in _WHERE), len(words))
    tail = [n for n, word in enumerate(words, 1) if n > first and word not in _POINTING]
    proper = [n for n, word in enumerate(found, 1) if n > 1 and word[0].isupper() and word[1:].islower()]
    return ParsedQuestion((START, *words), frozenset(proper), frozenset(tail))


def likeness(one: str, other: str) -> float:
    """Return how similar two words are, by the pairs of letters they share: 1 is equal."""
    first, second = _pairs(one), _pairs(other)
    return 2 * len(first & second) / (len(first) + len(second))


@cache
def _pairs(word: str) -> frozenset[str]:
    framed = f"^{word}$"
    return frozenset(framed[n : n + 2] for n in range(len(framed) - 1))
