"""Document: what documents.get answers, as tabs and segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

from laconic.servers.google.docs.reading.flow import Content, Flow

SegmentKind = Literal["body", "header", "footer", "footnote"]
_OTHERS: Final[Mapping[SegmentKind, str]] = {
    "header": "headers",
    "footer": "footers",
    "footnote": "footnotes",
}
_CODE: Final = "code:"  # how the names of ranges begin that keep the language of code


@dataclass(frozen=True)
class Segment:
    """A part of a tab that counts its indices from 0: its body, a header, a footer or a footnote."""

    tab: str
    kind: SegmentKind
    id: str  # empty for the body
    content: Content = field(repr=False)

    @cached_property
    def flow(self) -> Flow:
        """Its text with the indices."""
        return Flow(self.content)

    @property
    def end(self) -> int:
        """The index after its last newline."""
        return int(self.content[-1].get("endIndex", 1)) if self.content else 1

    @property
    def place(self) -> dict[str, str]:
        """What a location or range in it has besides indices."""
        return {**({"segmentId": self.id} if self.id else {}), **({"tabId": self.tab} if self.tab else {})}

    def range(self, start: int, end: int) -> dict[str, Any]:
        """Return a range as requests take it."""
        return {"startIndex": start, "endIndex": end, **self.place}

    def location(self, index: int) -> dict[str, Any]:
        """Return a location as requests take it."""
        return {"index": index, **self.place}


@dataclass(frozen=True)
class Tab:
    """A tab of a document; one without tabs has one, without an id."""

    id: str
    title: str
    level: int
    data: Mapping[str, Any] = field(repr=False)

    @cached_property
    def segments(self) -> list[Segment]:
        """Its body, headers, footers and footnotes, in this order."""
        found = [Segment(self.id, "body", "", self.data.get("body", {}).get("content", ()))]
        for kind, key in _OTHERS.items():
            rows = self.data.get(key, {}).items()
            found += [Segment(self.id, kind, id, one.get("content", ())) for id, one in rows]
        return found

    @property
    def body(self) -> Segment:
        """Its body."""
        return self.segments[0]

    @cached_property
    def languages(self) -> list[tuple[int, int, str]]:
        """Where code has a language: start, end and its name, in order."""
        found = []
        for name, one in self.data.get("namedRanges", {}).items():
            if name.startswith(_CODE):
                ranges = [part for range in one.get("namedRanges", ()) for part in range.get("ranges", ())]
                rows = [
                    (part.get("startIndex", 0), part["endIndex"]) for part in ranges if "endIndex" in part
                ]
                found += [(start, end, name.removeprefix(_CODE)) for start, end in rows]
        return sorted(found)


@dataclass(frozen=True)
class Document:
    """A document."""

    id: str
    title: str
    revision: str  # empty for somebody who may not change it
    tabs: list[Tab]

    def tab(self, wanted: str | None) -> Tab | None:
        """Return a tab by its id or title, else None; without either, the first."""
        if not wanted:
            return self.tabs[0]
        return next((tab for tab in self.tabs if wanted in (tab.id, tab.title)), None)

    def segments(self) -> Iterator[tuple[Tab, Segment]]:
        """Yield every segment of every tab."""
        for tab in self.tabs:
            for segment in tab.segments:
                yield tab, segment


def parse(answer: Mapping[str, Any]) -> Document:
    """Read what documents.get answered, with or without tabs."""
    tabs = list(_tabs(answer.get("tabs", ()), 0)) or [Tab("", "", 0, answer)]
    return Document(answer.get("documentId", ""), answer.get("title", ""), answer.get("revisionId", ""), tabs)


def _tabs(rows: Any, level: int) -> Iterator[Tab]:
    for row in rows:
        known = row.get("tabProperties", {})
        yield Tab(known.get("tabId", ""), known.get("title", ""), level, row.get("documentTab", {}))
        yield from _tabs(row.get("childTabs", ()), level + 1)


def language_range(language: str) -> str:
    """Return the name of the range that keeps the language of code."""
    return f"{_CODE}{language}"
