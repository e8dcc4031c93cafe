"""Full-text search: every issue that holds the words, the best first, with a piece of its text when asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from laconic.servers.issues.entries import Entry
from laconic.servers.issues.folded import fold
from laconic.servers.issues.texts import Load, Texts

FIELDS: Final = ("title", "description", "labels")
_TITLE, _SAME_TITLE, _LABEL, _MOST_IN_TEXT = 40_000, 20_000, 10_000, 9_999  # a title outweighs all else
_COUNTED: Final = 500  # in so many texts at most, how often they hold the words says something
_WIDTH: Final = 150


class Hit(NamedTuple):
    """An issue that was found."""

    entry: Entry
    score: int  # higher is better: where the words are, and how often in the text
    search: Search

    @property
    def is_whole(self) -> bool:
        """Whether it holds the query as it stands, not only all of its words."""
        return self.search.is_whole

    def excerpt(self) -> str:
        """Cut out a piece of its text around the words; reads the file."""
        return excerpt(self.search.describe(self.entry), self.search.query)


@dataclass
class Search:
    """One question; what all of its hits share."""

    query: str
    fields: Collection[str]
    describe: Callable[[Entry], str]
    is_whole: bool = True

    def hits(self, texts: Texts, entries: Sequence[Entry]) -> list[Hit]:
        """Find the query, in any case and with any white space; if nothing holds it, all of its words.

        Hits come in the order of the entries.
        """
        words = fold(self.query).decode(errors="surrogatepass")
        scores = self._scores(texts, words, entries)
        if not any(scores) and " " in words:
            self.is_whole = False
            each = [self._scores(texts, word, entries) for word in dict.fromkeys(words.split())]
            scores = [sum(found) if all(found) else 0 for found in zip(*each, strict=True)]
        return [Hit(entry, score, self) for entry, score in zip(entries, scores, strict=True) if score]

    def _scores(self, texts: Texts, words: str, entries: Sequence[Entry]) -> list[int]:
        """Weigh each entry; zero if it does not hold the words."""
        counts = self._counts(texts, words, entries)
        scores = [counts.get(entry.digest, 0) for entry in entries]
        if "labels" in self.fields:
            every = {label for entry in entries for label in entry.labels}
            matching = {label for label in every if words in _even(label, words)}
            if matching:
                for place, entry in enumerate(entries):
                    scores[place] += 0 if matching.isdisjoint(entry.labels) else _LABEL
        if "title" in self.fields:
            for place, entry in enumerate(entries):
                title = _even(entry.title, words)
                if words in title:
                    scores[place] += _TITLE + _SAME_TITLE * (title == words)
        return scores

    def _counts(self, texts: Texts, words: str, entries: Sequence[Entry]) -> dict[int, int]:
        """Count how often texts hold the words; where that is in very many, just say that they do."""
        if "description" not in self.fields:
            return {}
        query = words.encode(errors="surrogatepass")
        found = texts.find(query)
        if len(found) > _COUNTED:
            found.intersection_update([entry.digest for entry in entries])
        if len(found) > _COUNTED:
            return dict.fromkeys(found, 1)
        counts = texts.count(query, found)
        return {digest: min(count, _MOST_IN_TEXT) or 1 for digest, count in counts.items()}


def loader(read: Callable[[Entry], tuple[int, str] | None]) -> Load:
    """Fold what a reader of files returns."""

    def load(entry: Entry) -> tuple[int, bytes] | None:
        found = read(entry)
        return found and (found[0], fold(found[1]))

    return load


def excerpt(text: str, query: str, width: int = _WIDTH) -> str:
    """Cut out the first place that holds the query, or one of its words, on one line; else the beginning."""
    flat = " ".join(text.split())
    words = " ".join(query.casefold().split())
    start, end = next((span for word in (words, *words.split()) if (span := _place(flat, word))), (0, 0))
    first = max(0, min(start - (width - end + start) // 3, len(flat) - width))
    last = max(end, first + width)
    if first:
        first = flat.find(" ", first, start) + 1 or first
    if last < len(flat):
        last = max(flat.rfind(" ", end, last + 1), end) if " " in flat[end : last + 1] else last
    return f"{'…' if first else ''}{flat[first:last]}{'…' if last < len(flat) else ''}"


def _even(text: str, words: str) -> str:
    """Fold a short text; its blanks matter only to a query that has some."""
    return " ".join(text.casefold().split()) if " " in words else text.casefold()


def _place(text: str, words: str) -> tuple[int, int] | None:
    """Find folded words in a text that is not folded."""
    folded = text.casefold()
    at = folded.find(words)
    if at < 0 or not words:
        return None
    if len(folded) == len(text):
        return at, at + len(words)
    ends = list(accumulate(len(letter.casefold()) for letter in text))  # where each letter ends once folded
    first = next(place for place, end in enumerate(ends) if end > at)
    last = next(place for place, end in enumerate(ends) if end >= at + len(words))
    return first, last + 1
