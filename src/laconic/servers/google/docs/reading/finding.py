"""Finding: every place of a text in a document, with its tab, its segment and its indices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from laconic.servers.google.docs.reading.document import Document, Segment, Tab
from laconic.text import boundary

_AROUND = 50  # characters before and after a place


@dataclass(frozen=True)
class Found:
    """A place of a text."""

    tab: Tab
    segment: Segment
    start: int  # in the segment's text
    end: int

    @property
    def range(self) -> tuple[int, int]:
        """Its indices: of its first character, and after its last one."""
        return self.segment.flow.range(self.start, self.end)

    @property
    def text(self) -> str:
        """What is written there."""
        return self.segment.flow.text[self.start : self.end]

    @property
    def excerpt(self) -> str:
        """The text around it, on one line."""
        text = self.segment.flow.text
        left = boundary(text, max(0, self.start - _AROUND, text.rfind("\n", 0, self.start) + 1))
        line_end = text.find("\n", self.end)
        right = boundary(text, min(len(text), self.end + _AROUND, line_end if line_end >= 0 else len(text)))
        before = "…" if left and text[left - 1] != "\n" else ""
        after = "…" if text[right : right + 1].strip("\n") else ""
        return f"{before}{' '.join(text[left:right].split())}{after}"


def places_of(
    document: Document,
    wanted: str,
    segments: Iterable[tuple[Tab, Segment]] | None = None,
    *,
    case: bool = True,
) -> Iterator[Found]:
    """Yield the places of a text, in order and without overlaps: bodies first, tab by tab."""
    if not wanted:
        return
    for tab, segment in document.segments() if segments is None else segments:
        text, sought = segment.flow.text, wanted
        if not case and len(text.lower()) == len(text):
            text, sought = text.lower(), wanted.lower()
        elif not case:  # small letters of a few capitals are longer, and would move what follows
            for match in re.finditer(re.escape(wanted), text, re.IGNORECASE):
                yield Found(tab, segment, match.start(), match.end())
            continue
        start = text.find(sought)
        while start >= 0:
            yield Found(tab, segment, start, start + len(sought))
            start = text.find(sought, start + len(sought))


def spellings_of(places: Iterable[Found]) -> Counter[str]:
    """Return how often a text is written in each way, in the order of the first places."""
    return Counter(place.text for place in places)


def numbers_of(
    document: Document, places: Sequence[Found], scope: Sequence[tuple[Tab, Segment]]
) -> list[int | None]:
    """Return the number of each place among those that are written the same, as edits count them.

    None: another one that overlaps it is counted, such as the last two letters of "Aaa" when it is "aa".
    """
    numbers = {
        (id(one.segment), one.start): number
        for spelling in spellings_of(places)
        for number, one in enumerate(places_of(document, spelling, scope), 1)
    }
    return [numbers.get((id(one.segment), one.start)) for one in places]
