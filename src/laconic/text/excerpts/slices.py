"""Slices: a text read on by characters, lines, sections or items; the slices join to the whole."""

from dataclasses import dataclass
from typing import Literal

from laconic.text.excerpts.cuts import snap
from laconic.text.formats import json_text, table
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.markdown import section
from laconic.text.lines import Span, line_spans

Unit = Literal["characters", "lines", "items"]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a text: from where to where, its words, and which of how many units it holds.

    Lines and items count from 1, the last one included; characters from 0, the last one excluded.
    """

    start: int
    end: int
    text: str
    unit: Unit
    first: int
    last: int
    total: int

    @property
    def more(self) -> int:
        """How many units follow."""
        return self.total - self.last


class NoItems(LookupError):
    """The text is neither a table nor JSON with one list in it."""


def by_characters(text: str, start: int, end: int, kind: Kind | None = None) -> Slice:
    """Read a range of characters, both ends moved back to the nearest place where the text may be cut.

    The end of one range and the start of the next move to the same place. A value or row longer than
    `cuts.WHOLE` may be cut, at a grapheme: else there would be no reading it in parts.
    """
    kind = kind or kind_of(text)
    first = snap(text, start, kind)
    last = max(first, snap(text, end, kind))
    return Slice(first, last, text[first:last], "characters", first, last, len(text))


def by_lines(text: str, first: int, last: int) -> Slice:
    """Read lines, counted from 1, the last one included; long lines stay whole."""
    return _units(text, line_spans(text), "lines", first, last)


def by_section(text: str, path: str) -> Slice:
    """Read the section of a heading path, with the sections inside it; "" is what stands before all headings.

    Raises:
        NoSection: no heading goes by this path, or several do.
    """
    start, end = section(text, path)
    return Slice(start, end, text[start:end], "characters", start, end, len(text))


def by_items(text: str, first: int, last: int, kind: Kind | None = None) -> Slice:
    """Read items of a JSON list, as a JSON array, or rows of a table; counted from 1, the last one included.

    Raises:
        NoItems: the text holds no list.
    """
    kind = kind or kind_of(text)
    spans = items(text, kind)
    if not spans:
        raise NoItems(f"This text ({kind}) has no list of items; read it by lines, sections or characters.")
    found = _units(text, spans, "items", first, last)
    return found if kind == "table" else _wrapped(found)


def items(text: str, kind: Kind) -> list[Span]:
    """Find what counts as an item: of JSON the values of its list, of a table the rows after the head."""
    if kind == "table":
        return table.body(text)
    return json_text.items(text) if kind == "json" else []


def _wrapped(found: Slice) -> Slice:
    text = f"[{found.text}]"
    return Slice(found.start, found.end, text, found.unit, found.first, found.last, found.total)


def _units(text: str, spans: list[Span], unit: Unit, first: int, last: int) -> Slice:
    first = max(1, min(first, len(spans) + 1))
    last = max(first - 1, min(last, len(spans)))
    start = spans[first - 1][0] if first <= len(spans) else len(text)
    end = spans[last - 1][1] if last >= first else start
    return Slice(start, end, text[start:end], unit, first, last, len(spans))
