"""Cuts: where a range of characters may end without tearing a value, a row or a grapheme."""

from laconic.text.formats import json_scan
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.table import row_at
from laconic.text.graphemes import boundary
from laconic.text.lines import Span, line_at

WHOLE = 4_000
"""A value or a row up to this long is never cut; a longer one can only be read in parts."""


def snap(text: str, index: int, kind: Kind | None = None) -> int:
    """Find the place to cut at or before an index.

    It depends on nothing but the text and the index, so ranges that meet at an index meet at its cut as well.
    """
    index = max(0, min(index, len(text)))
    if index in {0, len(text)}:
        return index
    kind = kind or kind_of(text)
    start, end = _held(text, index, kind)
    if end - start <= WHOLE:
        index = start
    elif kind == "json" and text[start] == '"':
        index = json_scan.character_at(text, start, index)
    return boundary(text, index)


def _held(text: str, index: int, kind: Kind) -> Span:
    """The value or the row that an index stands in; empty at the index when there is none."""
    if kind == "json":
        return json_scan.token_at(text, index)
    if kind == "table":
        return row_at(text, index)
    start, end = line_at(text, index)
    return (
        (start, end) if "|" in text[start : min(end, start + WHOLE)] else (index, index)
    )  # perhaps a row of a table
