"""Cuts: where a range of characters may end without splitting a value, a row or a grapheme."""

from laconic.text.formats import json_scan
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.table import row_at
from laconic.text.graphemes import boundary
from laconic.text.lines import Span, line_at

WHOLE = 4_000
"""A value or row up to this length is never cut; a longer one can only be read in parts."""


def snap(text: str, index: int, kind: Kind | None = None) -> int:
    """Find the nearest cut at or before an index.

    It depends only on the text and the index, so ranges that meet at an index also meet at its cut.
    """
    index = max(0, min(index, len(text)))
    if index in {0, len(text)}:
        return index
    kind = kind or kind_of(text)
    start, end = _unit_at(text, index, kind)
    if end - start <= WHOLE:
        index = start
    elif kind == "json" and text[start] == '"':
        index = json_scan.character_at(text, start, index)
    return boundary(text, index)


def _unit_at(text: str, index: int, kind: Kind) -> Span:
    """Find the value or row that contains an index; an empty span at the index if there is none."""
    if kind == "json":
        return json_scan.token_at(text, index)
    if kind == "table":
        return row_at(text, index)
    start, end = line_at(text, index)
    may_be_row = "|" in text[start : min(end, start + WHOLE)]
    return (start, end) if may_be_row else (index, index)
