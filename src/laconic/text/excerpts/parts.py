"""Parts of a text that end where a reader would pause: its beginning, and pieces of a given size."""

from bisect import bisect_right
from collections.abc import Callable

from laconic.text.excerpts.slices import Slice, items
from laconic.text.formats import json_scan, json_text
from laconic.text.formats.json_fit import fit
from laconic.text.formats.json_scan import Scan
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.prose import Prose
from laconic.text.formats.table import rows
from laconic.text.graphemes import boundary, next_boundary
from laconic.text.lines import Span, line_at

Cut = Callable[[int, int], int]
"""Returns where a piece from a start up to a limit ends."""


def beginning(text: str, budget: int, kind: Kind | None = None, scan: Scan | None = None) -> Slice:
    """Return the best beginning within a budget of characters.

    For JSON: valid JSON with the first items of its list and the rest of its structure. For a table: whole
    rows. For markdown and text: up to the end of a section, block, line, sentence or word; an open fence is
    closed. The rest of the text starts at `end`; the slice has units `first` to `last` of `total`.
    `scan` is an existing scan of this text, if it is JSON.
    """
    if len(text) <= budget:
        return Slice(0, len(text), text, "characters", 0, len(text), len(text))
    kind = kind or kind_of(text)
    budget = max(0, budget)
    if kind == "json":
        return _json_beginning(scan or Scan(text), budget)
    if kind == "table":
        return _table_beginning(text, budget)
    shown, end = _prose_beginning(text, budget, markdown=kind == "markdown")
    return Slice(0, end, shown, "characters", 0, end, len(text))


def _json_beginning(scan: Scan, budget: int) -> Slice:
    text = scan.text
    shown, end = fit(scan, (json_scan.root(text), len(text.rstrip())), budget) or ("", 0)
    spans = json_text.items(scan)
    return _counted(spans, end, shown) if spans else Slice(0, end, shown, "characters", 0, end, len(text))


def _table_beginning(text: str, budget: int) -> Slice:
    spans = items(text, "table")
    ends = [spans[0][0] if spans else len(text), *(end for _, end in spans)]
    kept = bisect_right(ends, budget)
    end = ends[kept - 1] if kept else 0
    return _counted(spans, end, text[:end])


def _counted(spans: list[Span], end: int, shown: str) -> Slice:
    last = bisect_right(spans, end, key=lambda span: span[1])
    return Slice(0, end, shown, "items", 1, last, len(spans))


def _prose_beginning(text: str, budget: int, *, markdown: bool) -> tuple[str, int]:
    end = line_at(text, budget)[1]
    end = line_at(text, end)[1]  # one more line: it may be the rule of a table
    prose = Prose(text[:end], markdown=markdown)
    cut = prose.last_cut(0, budget)
    cut = cut if cut <= budget else 0
    if fence := prose.fence_at(cut):
        closing = fence.closing + "\n"
        cut = prose.line_before(budget - len(closing))
        return (text[:cut] + closing, cut) if cut > fence.start else (text[: fence.start], fence.start)
    return text[:cut], cut


def pieces(text: str, size: int, kind: Kind | None = None) -> list[Slice]:
    """Cut a whole text into consecutive pieces of at most the given size.

    A longer value, row, fenced line or grapheme is a separate piece. The pieces join to the text.
    """
    size = max(1, size)
    cut_at = _cutter(text, kind or kind_of(text)) if len(text) > size else None
    found: list[Slice] = []
    start = 0
    while start < len(text):
        end = cut_at(start, start + size) if cut_at and len(text) - start > size else len(text)
        found.append(Slice(start, end, text[start:end], "characters", start, end, len(text)))
        start = end
    return found


def _cutter(text: str, kind: Kind) -> Cut:
    if kind == "json":
        return lambda start, limit: _json_cut(text, start, limit)
    if kind == "table" and (ends := [end for _, end in rows(text)]):
        return lambda start, limit: ends[max(bisect_right(ends, limit) - 1, bisect_right(ends, start))]
    return Prose(text, markdown=kind == "markdown").last_cut


def _json_cut(text: str, start: int, limit: int) -> int:
    """Cut between two tokens, preferably at a line end in the second half."""
    cut = json_scan.last_cut(text, start, limit)
    line = text.rfind("\n", start + (limit - start) // 2, cut) + 1
    cut = boundary(text, line or cut, start)
    return cut if cut > start else next_boundary(text, limit, start)
