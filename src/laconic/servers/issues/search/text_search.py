"""Full-text search: every issue that contains the words, with a score and, on request, an excerpt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from laconic.data import dataclass
from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.search.folding import fold, fold_letters
from laconic.servers.issues.search.texts import Texts
from laconic.servers.issues.search.titles import TitleIndex

_TITLE, _SAME_TITLE, _LABEL, _MOST_IN_TEXT = (
    40_000,
    20_000,
    10_000,
    9_999,
)  # a match in the title outweighs all others
_COUNTED: Final = 500  # with more matching texts, how often each contains the words is not counted
_WIDTH: Final = 150


class Hit(NamedTuple):
    """An issue that matches."""

    entry: Entry
    score: int  # higher is better: depends on where the words are, and how often in the text
    search: Search

    @property
    def is_whole(self) -> bool:
        """True if it contains the exact query, not just all of its words."""
        return self.search.is_whole

    def excerpt(self) -> str:
        """Return a piece of the text around the words; this reads the file."""
        return excerpt(self.search.describe(self.entry), self.search.query)


@dataclass
class Search:
    """A search; its hits share it."""

    query: str
    fields: Collection[str]
    describe: Callable[[Entry], str]
    is_whole: bool = True

    def hits(
        self, texts: Texts, titles: TitleIndex, keep: Callable[[Entry], bool] | None = None
    ) -> list[Hit]:
        """Find the query, ignoring case and white space; if nothing contains it, all of its words.

        Hits are in the order of the entries.
        """
        query = fold(self.query)
        (scores,) = self._scores(texts, titles, [query], keep)
        if not scores and b" " in query:
            self.is_whole = False
            each = self._scores(texts, titles, list(dict.fromkeys(query.split())), keep)
            places = set.intersection(*(set(found) for found in each))
            scores = {place: sum(found[place] for found in each) for place in places}
        entries = titles.entries
        return [Hit(entries[place], scores[place], self) for place in sorted(scores)]

    def _scores(
        self,
        texts: Texts,
        titles: TitleIndex,
        queries: Sequence[bytes],
        keep: Callable[[Entry], bool] | None,
    ) -> list[dict[int, int]]:
        """Score for each query the entries that contain it, by position."""
        found = texts.find(queries) if "description" in self.fields else [set[int]() for _ in queries]
        return [
            self._score(texts, titles, query, digests, keep)
            for query, digests in zip(queries, found, strict=True)
        ]

    def _score(
        self,
        texts: Texts,
        titles: TitleIndex,
        query: bytes,
        digests: set[int],
        keep: Callable[[Entry], bool] | None,
    ) -> dict[int, int]:
        entries = titles.entries
        places = [place for place, entry in enumerate(entries) if entry.digest in digests] if digests else []
        if keep is not None:
            places = [place for place in places if keep(entries[place])]
        scores = _counts(texts, entries, query, places)
        if "labels" in self.fields:
            for place in titles.with_label(query):
                scores[place] = scores.get(place, 0) + _LABEL
        if "title" in self.fields:
            for place, is_whole in titles.with_title(query):
                scores[place] = scores.get(place, 0) + _TITLE + _SAME_TITLE * is_whole
        if keep is None:
            return scores
        return {place: score for place, score in scores.items() if keep(entries[place])}


def _counts(texts: Texts, entries: Sequence[Entry], query: bytes, places: Sequence[int]) -> dict[int, int]:
    """Count how often each of some texts contains the query; if they are very many, count 1 for each."""
    if not places or len(places) > _COUNTED:
        return dict.fromkeys(places, 1)
    counts = texts.count(query, {entries[place].digest for place in places})
    return {place: min(counts.get(entries[place].digest, 1), _MOST_IN_TEXT) or 1 for place in places}


def excerpt(text: str, query: str, width: int = _WIDTH) -> str:
    """Return the first place that contains the query or one of its words, on one line; else the start."""
    flat = " ".join(text.split())
    words = " ".join(fold_letters(query).split())
    start, end = next((span for word in (words, *words.split()) if (span := _place(flat, word))), (0, 0))
    first = max(0, min(start - (width - end + start) // 3, len(flat) - width))
    last = max(end, first + width)
    if first:
        first = flat.find(" ", first, start) + 1 or first
    if last < len(flat):
        last = max(flat.rfind(" ", end, last + 1), end) if " " in flat[end : last + 1] else last
    return f"{'…' if first else ''}{flat[first:last]}{'…' if last < len(flat) else ''}"


def _place(text: str, words: str) -> tuple[int, int] | None:
    """Find folded words in an unfolded text."""
    folded = fold_letters(text)
    at = folded.find(words)
    if at < 0 or not words:
        return None
    if len(folded) == len(text):
        return at, at + len(words)
    ends = list(accumulate(len(fold_letters(letter)) for letter in text))  # where each folded letter ends
    first = next(place for place, end in enumerate(ends) if end > at)
    last = next(place for place, end in enumerate(ends) if end >= at + len(words))
    return first, last + 1
