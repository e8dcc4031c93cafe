"""Titles and labels of all issues, folded and joined so that one search covers them all."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from laconic.servers.issues.index.entries import Entry
from laconic.servers.issues.search.folding import fold


class TitleIndex:
    """Finds titles and labels that contain a folded query; returns the positions of their entries."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries: Final = entries
        titles = [fold(entry.title) for entry in entries]
        self._titles = b"\n".join(titles)  # no query holds a line break
        self._starts = array("Q", accumulate((len(title) + 1 for title in titles), initial=0))
        every = {label for entry in entries for label in entry.labels}
        self._labels = {label: fold(label) for label in every}

    def with_title(self, query: bytes) -> Iterator[tuple[int, bool]]:
        """Return which titles contain a query, and whether it is the whole title."""
        at = self._titles.find(query)
        while at >= 0:
            place = bisect_right(self._starts, at) - 1
            start, end = self._starts[place], self._starts[place + 1]
            yield place, end - start - 1 == len(query)
            at = self._titles.find(query, end)

    def with_label(self, query: bytes) -> Iterator[int]:
        """Return which entries have a label that contains a query."""
        matching = {label for label, folded in self._labels.items() if query in folded}
        if matching:
            for place, entry in enumerate(self.entries):
                if not matching.isdisjoint(entry.labels):
                    yield place
