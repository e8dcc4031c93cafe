"""Outlines: what a reader sees of a text instead of the rest of it."""

from itertools import pairwise

from laconic.text.formats import json_text
from laconic.text.formats.json_scan import Scan
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.markdown import Heading, headings
from laconic.text.formats.table import body, head
from laconic.text.lines import line_starts
from laconic.text.tokens import estimate_tokens

_LINES = 40
_HEAD = "Sections (tokens):"  # said once, since each word on a line is paid forty times
_FEW = 4  # headings that say next to nothing about a long text
_TITLE = 80
_COLUMNS = 30


def outline(text: str, kind: Kind | None = None, scan: Scan | None = None) -> str:
    """Outline a text: headings with their sizes, keys and counts, head and rows, or lines and characters.

    `scan`: what was found in the JSON of this text already.
    """
    kind = kind or kind_of(text)
    if kind == "json":
        return json_text.outline(scan or text)
    if kind == "table":
        return _table(text)
    found = headings(text) if kind == "markdown" else []
    return _tree(text, found) if found else f"{len(line_starts(text)):,} lines, {len(text):,} characters"


def _table(text: str) -> str:
    columns = [_short(column) for column in head(text)]
    more = ["…"] if len(columns) > _COLUMNS else []
    return f"{len(body(text)):,} rows of {len(columns)} columns: {', '.join(columns[:_COLUMNS] + more)}"


def _tree(text: str, found: list[Heading]) -> str:
    sizes = _sizes(text, found)
    shown = _shown(found)
    before = estimate_tokens(text[: found[0].start])
    lines = [_HEAD, *([f"(before the first heading: {before})"] if before else [])]
    for heading in shown:
        indent = "  " * (len(heading.names) - 1)
        lines.append(f"{indent}{_short(heading.names[-1])} ({sizes[heading.start]})")
    more = len(found) - len(shown)
    return "\n".join([*lines, f"… {more:,} more headings"] if more else lines)


def _shown(found: list[Heading]) -> list[Heading]:
    """As many levels as fit, from the top; if that leaves next to nothing, the first headings of one more."""
    depth = max(len(heading.names) for heading in found)
    while depth > 1 and sum(len(heading.names) <= depth for heading in found) > _LINES:
        depth -= 1
    shown = [heading for heading in found if len(heading.names) <= depth]
    if len(shown) < _FEW:
        shown = [heading for heading in found if len(heading.names) <= depth + 1]
    return shown[:_LINES]


def _sizes(text: str, found: list[Heading]) -> dict[int, int]:
    """Tokens of each section by its start, with the sections inside it; no character is counted twice."""
    borders = [*(heading.start for heading in found), len(text)]
    total, totals = 0, {borders[0]: 0}
    for start, end in pairwise(borders):
        total += estimate_tokens(text[start:end])
        totals[end] = total
    return {heading.start: totals[heading.end] - totals[heading.start] for heading in found}


def _short(name: str) -> str:
    return name if len(name) <= _TITLE else f"{name[: _TITLE - 1].rstrip()}…"
