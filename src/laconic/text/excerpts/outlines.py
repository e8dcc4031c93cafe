"""Outlines: a summary of the structure of a text, shown in place of its rest."""

from itertools import pairwise

from laconic.text.formats import json_text
from laconic.text.formats.json_scan import Scan
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.markdown import Heading, headings
from laconic.text.formats.table import body, head
from laconic.text.lines import line_starts
from laconic.text.tokens import estimate_tokens

_LINES = 40
_HEAD = "Sections (tokens):"  # in one heading, since a word on each line would cost forty times as much
_FEW = 4  # so few headings say too little about a long text
_TITLE = 80
_COLUMNS = 30


def outline(text: str, kind: Kind | None = None, scan: Scan | None = None) -> str:
    """Outline a text: headings with their sizes; keys and counts; columns and rows; or lines and characters.

    `scan` is an existing scan of this text, if it is JSON.
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
    """Return as many levels as fit, from the top; if these are too few, some headings of the next level."""
    depth = max(len(heading.names) for heading in found)
    while depth > 1 and sum(len(heading.names) <= depth for heading in found) > _LINES:
        depth -= 1
    shown = [heading for heading in found if len(heading.names) <= depth]
    if len(shown) < _FEW:
        shown = [heading for heading in found if len(heading.names) <= depth + 1]
    return shown[:_LINES]


def _sizes(text: str, found: list[Heading]) -> dict[int, int]:
    """Return the tokens of each section, subsections included, by its start; each text is counted once."""
    borders = [*(heading.start for heading in found), len(text)]
    total, totals = 0, {borders[0]: 0}
    for start, end in pairwise(borders):
        total += estimate_tokens(text[start:end])
        totals[end] = total
    return {heading.start: totals[heading.end] - totals[heading.start] for heading in found}


def _short(name: str) -> str:
    return name if len(name) <= _TITLE else f"{name[: _TITLE - 1].rstrip()}…"
