"""Outline: the sections of a document, found by heading, path or number."""

from __future__ import annotations

from dataclasses import dataclass

from laconic.servers.google.docs.reading.blocks import Losses
from laconic.servers.google.docs.reading.document import Document, Segment, Tab
from laconic.servers.google.docs.reading.runs import spans_of
from laconic.text import Heading, HeadingMark, NoSection, chosen_heading, headings_of


@dataclass(frozen=True)
class Section:
    """A heading and what is below it, up to the next heading of its level or above."""

    number: int  # in the outline, from 1
    tab: Tab
    heading: Heading  # its start and end are indices of the tab's body

    @property
    def segment(self) -> Segment:
        """The segment that it is in."""
        return self.tab.body

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
    """Return the sections of a document, or of one tab of it, in order."""
    found: list[Section] = []
    for one in document.tabs:
        headings = headings_of(_marks(one), one.body.end)
        for heading in headings:
            section = Section(len(found) + 1, one, heading)
            found.append(section)
    return [section for section in found if tab is None or section.tab is tab]


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


def _marks(tab: Tab) -> list[HeadingMark]:
    found: list[HeadingMark] = []
    for element in tab.body.content:
        paragraph = element.get("paragraph", {})
        named = paragraph.get("paragraphStyle", {}).get("namedStyleType", "")
        if named != "TITLE" and not named.startswith("HEADING_"):
            continue
        spans = spans_of(paragraph.get("elements", ()), tab, Losses())
        title = " ".join("".join(span.text for span in spans).split())
        if title:
            level = 1 if named == "TITLE" else int(named[-1])
            start = element.get("startIndex", 0)
            found.append(HeadingMark(level, title, start, element["endIndex"], len(found) + 1))
    return found
