"""Outline: the sections of a document, found by heading, path or number."""

from __future__ import annotations

from dataclasses import dataclass

from laconic.servers.google.docs.reading.blocking import headings_in
from laconic.servers.google.docs.reading.document import Document, Segment, Tab
from laconic.text import Heading, HeadingMark, NoSection, chosen_heading, headings_of


@dataclass(frozen=True)
class Section:
    """A heading and what is below it, up to the next heading of its level or above."""

    number: int  # in the outline, from 1
    tab: Tab
    segment: Segment  # a body, a header or a footer
    heading: Heading  # its start and end are indices of the segment

    @property
    def title(self) -> str:
        """The heading's text."""
        return self.heading.title

    @property
    def path(self) -> str:
        """The headings from the top down."""
        return self.heading.path

    @property
    def level(self) -> int:
        """The heading's level, from 1."""
        return self.heading.level

    @property
    def start(self) -> int:
        """The index where its heading starts."""
        return self.heading.start

    @property
    def end(self) -> int:
        """The index after it."""
        return self.heading.end

    @property
    def characters(self) -> int:
        """How many units of text it has."""
        return self.end - self.start


def outline(document: Document, tab: Tab | None = None) -> list[Section]:
    """Return the sections of a document, or of one tab of it, in order.

    Numbers and paths are those of the whole document, as it reads: a name means one section everywhere.
    """
    marks, places = list[HeadingMark](), list[tuple[Tab, Segment, int]]()
    length = 0  # of the segments before
    for one, segment in document.segments():
        if segment.kind == "footnote":
            continue
        for block in headings_in(one, segment):
            title = " ".join(block.plain.split())
            start, end = length + block.start, length + block.end
            marks.append(HeadingMark(block.level, title, start, end, len(marks) + 1))
            places.append((one, segment, length))
        length += segment.end
    found = [
        Section(number, *place[:2], _local(heading, place[1], place[2]))
        for number, (heading, place) in enumerate(zip(headings_of(marks, length), places, strict=True), 1)
    ]
    return [section for section in found if tab is None or section.tab is tab]


def _local(heading: Heading, segment: Segment, before: int) -> Heading:
    """Return a heading with indices of its segment, where its section ends at the latest."""
    start, end = heading.start - before, min(heading.end - before, segment.end)
    return Heading(heading.level, heading.title, heading.names, start, end, heading.line)


def find_section(document: Document, wanted: str, tab: Tab | None = None) -> Section:
    """Find a section by its heading, path or number.

    Raises:
        NoSection: there is none, or more than one, with those that are near.
    """
    sections = outline(document, tab)
    try:
        chosen = chosen_heading([section.heading for section in sections], wanted)
        return next(section for section in sections if section.heading is chosen)
    except NoSection:
        number = wanted.strip(" #.")
        for section in sections:
            if str(section.number) == number:
                return section
        raise
