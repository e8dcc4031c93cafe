"""Slices: a text read by characters, lines, sections or items; consecutive slices join to the whole text."""

from typing import Literal

from laconic.data import dataclass
from laconic.text.excerpts.cuts import snap
from laconic.text.formats import json_text, table
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.markdown import section
from laconic.text.lines import Span, line_spans

Unit = Literal["characters", "lines", "items"]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a text: its start and end, its text, and which units of how many it contains.

    Lines and items count from 1 and include the last one; characters count from 0 and exclude it.
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
    """Read a range of characters, with both ends moved back to where the text may be cut.

    The end of one range and the start of the next move to the same position. A value or row longer than
    `cuts.WHOLE` may be cut at a grapheme; otherwise it could not be read in parts.
    """
    kind = kind or kind_of(text)
    first = snap(text, start, kind)
    last = max(first, snap(text, end, kind))
    return Slice(first, last, text[first:last], "characters", first, last, len(text))


def by_lines(text: str, first: int, last: int) -> Slice:
    """Read lines, counted from 1 and including the last one; long lines are not cut."""
    return _units(text, line_spans(text), "lines", first, last)


def by_section(text: str, path: str) -> Slice:
    """Read the section of a heading path with its subsections; "" is the text before the first heading.

    Raises:
        NoSection: no heading, or more than one, matches the path.
    """
    start, end = section(text, path)
    return Slice(start, end, text[start:end], "characters", start, end, len(text))


def by_items(text: str, first: int, last: int, kind: Kind | None = None) -> Slice:
    """Read items of a JSON list, as a JSON array, or rows of a table, from 1 and including the last one.

    Raises:
        NoItems: the text contains no list.
    """
    kind = kind or kind_of(text)
    spans = items(text, kind)
    if not spans:
        raise NoItems(f"This text ({kind}) has no list of items; read it by lines, sections or characters.")
    found = _units(text, spans, "items", first, last)
    return found if kind == "table" else _wrapped(found)


def items(text: str, kind: Kind) -> list[Span]:
    """Find what counts as an item: the values of a JSON list, or the rows of a table after its head."""
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
