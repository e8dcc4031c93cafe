"""Words: a question or a name taken apart, and each word cut to what its forms have in common."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = ["START", "Said", "likeness", "name_words", "plain_words", "said", "singular", "stem"]

START: Final = "^"  # stands before the first word
_LONGEST = 400  # characters; what is longer is not about a tool
_ENDS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"))
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_WORD = re.compile(r"<\w+>|[^\W\d_]+(?:-[^\W\d_]+)*")
_ARTICLES = frozenset(
    re.findall(r"\w+", "a an the my our your his her its their this that these those please")
)
_WHERE = frozenset(re.findall(r"\w+", "in on of from to at inside into onto under with for"))
_POINTING = _ARTICLES | _WHERE
_PLAIN = re.compile("[a-z ,;:?!-]*")  # holds no values
_VALUES = (  # what is a value and no word about tools, and what stands in its place
    ("<text>", re.compile(r"[\"“„«].+?[\"”“»]|(?<!\w)['\u2018].+?['\u2019](?!\w)|\{\{?[^}]*\}\}?")),
    ("<image>", re.compile(r"\b(?:https?://|www\.)?\S+\.(?:png|jpe?g|gif|svg|webp)\b")),
    ("<link>", re.compile(r"\bhttps?://\S+|\bwww\.\S+")),
    ("<email>", re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.]+")),
    ("<range>", re.compile(r"\b(?!Q[1-4]\b|A[345]\b)[A-Z]{1,2}\d+(?::[A-Z]{1,2}\d+)?\b|\b[A-Z]:[A-Z]\b")),
    ("<text>", re.compile(r"\b(?:named|called|titled|with (?:the )?(?:title|name)) [A-Z]\w*(?: \w+$)?")),
    ("<letter>", re.compile(r"(?<=\w )[A-HJ-Z]\b(?!['.])")),  # a column; I is somebody
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
    """Cut a lower-case word to what its forms have in common: `sharing` and `shares` are `shar`."""
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
    """`mapp` was `map`, `add` is `add`."""
    return rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest


def name_words(name: str) -> list[str]:
    """The words of a name in camel, snake or dotted case, in lower case."""
    return [word.lower() for word in _HUMPS.split(name) if word]


def plain_words(text: str) -> list[str]:
    """The words of a sentence, in lower case."""
    return re.findall(r"[^\W_]+", text.lower())


@dataclass(frozen=True)
class Said:
    """A question in words: in lower case, values by their kind, after a mark for the beginning."""

    words: tuple[str, ...]
    proper: frozenset[int]  # where a capital says that it is a name
    tail: frozenset[int]  # what follows a first preposition: where, rather than what

    def is_article(self, place: int) -> bool:
        """Whether a word only points at the next."""
        return self.words[place] in _ARTICLES


def said(question: str) -> Said:
    """Take a question apart; the beginning of a very long one."""
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
    return Said((START, *words), frozenset(proper), frozenset(tail))


def likeness(one: str, other: str) -> float:
    """How alike two words are, by the pairs of letters they share: 1 is the same."""
    first, second = _pairs(one), _pairs(other)
    return 2 * len(first & second) / (len(first) + len(second))


@cache
def _pairs(word: str) -> frozenset[str]:
    framed = f"^{word}$"
    return frozenset(framed[n : n + 2] for n in range(len(framed) - 1))
