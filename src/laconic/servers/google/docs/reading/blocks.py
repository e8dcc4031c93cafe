"""Blocks: a document as markdown can say it; both ways of the conversion meet here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

BlockKind = Literal["paragraph", "heading", "item", "quote", "code", "table", "rule"]
Losses = Counter[str]  # what the other side cannot express, and how often
BREAK: Final = "\v"  # a line break inside a paragraph
BULLET, NUMBER, BOX = "-", "1.", "- [ ]"  # the marks of list items


class Span(NamedTuple):
    """Text in one style, an image or a footnote."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    link: str = ""
    image: str = ""  # its address; the text describes it
    note: tuple[Span, ...] | None = None  # what the footnote says

    @property
    def is_text(self) -> bool:
        """False for what is one unit of the document: an image or a footnote."""
        return not self.image and self.note is None


Spans = tuple[Span, ...]


class Block(NamedTuple):
    """A paragraph, heading, list item, table or the like, and the indices that it has in a document."""

    kind: BlockKind
    spans: Spans = ()
    level: int = 0  # of a heading from 1, of a list item from 0
    mark: str = ""  # of a list item; of code, its language
    rows: tuple[tuple[Spans, ...], ...] = ()
    aligned: tuple[str, ...] = ()  # of a table's columns: left, center, right or nothing
    start: int = 0
    end: int = 0

    @property
    def plain(self) -> str:
        """Its text without styles."""
        return "".join(span.text for span in self.spans)


def merged(spans: Iterable[Span]) -> Spans:
    """Join neighbours of one style; white space is outside of styles, and none is at the end."""
    found: list[Span] = []
    for one in spans:
        for span in _parted(one) if one.is_text and one != Span(one.text) else (one,):
            if span.text or not span.is_text:
                _add(found, span)
    if found and found[-1].is_text:
        found[-1] = found[-1]._replace(text=found[-1].text.rstrip())
        del found[len(found) - (not found[-1].text) :]
    return _joined(found) if any(one.text.isspace() for one in found) else tuple(found)


def stripped(spans: Iterable[Span]) -> Spans:
    """Return the spans of a list item, a cell or a footnote: without white space at either end."""
    found = list(merged(spans))
    if found and found[0].is_text:
        found[0] = found[0]._replace(text=found[0].text.lstrip())
        del found[: not found[0].text]
    return tuple(found)


def _parted(span: Span) -> Iterable[Span]:
    """Yield the white space at both ends, and line breaks, apart from the styled text."""
    for number, part in enumerate(span.text.split(BREAK)):
        if number:
            yield Span(BREAK)
        inner = part.strip()
        if inner == part:
            yield span._replace(text=part)
            continue
        start = len(part) - len(part.lstrip())
        yield Span(part[:start])
        if inner:
            yield span._replace(text=inner)
            yield Span(part[start + len(inner) :])


def _joined(spans: list[Span]) -> Spans:
    """Give white space between two spans the styles that both have, so that they are written once."""
    found = spans[:1]
    for at in range(1, len(spans)):
        span = spans[at]
        if at < len(spans) - 1 and span.text.isspace() and BREAK not in span.text:
            span = _between(found[-1], span, spans[at + 1])
        _add(found, span)
    return tuple(found)


def _between(before: Span, blank: Span, after: Span) -> Span:
    return Span(
        blank.text,
        before.bold and after.bold,
        before.italic and after.italic,
        before.strike and after.strike,
        link=before.link if before.link == after.link else "",
    )


def _add(found: list[Span], span: Span) -> None:
    if found and span.is_text and found[-1].is_text and found[-1][1:] == span[1:]:
        span = span._replace(text=found.pop().text + span.text)
    found.append(span)
