"""Searching a text: every occurrence with its line, its context and the section or item that contains it."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from operator import itemgetter

from laconic.data import dataclass
from laconic.text.excerpts.expressions import compiled
from laconic.text.excerpts.slices import items
from laconic.text.formats.kinds import Kind, kind_of
from laconic.text.formats.markdown import headings
from laconic.text.graphemes import boundary, next_boundary
from laconic.text.lines import Span, line_spans

_EXPRESSION = re.compile(r"/(.+)/([imsx]*)", re.S)
_WINDOW = 2_000  # how much of a long line an expression sees at once; limits the cost of a slow one
_OVERLAP = 500


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One hit of a search: its line (from 1), its span, and the section or item (from 1) that contains it."""

    line: int
    start: int
    end: int
    excerpt: str
    section: str = ""
    item: int | None = None


def search(
    text: str, query: str, context: int = 80, *, most: int | None = None, kind: Kind | None = None
) -> list[Occurrence]:
    """Find words, ignoring case and differences in white space, or a regular expression given as /…/.

    An expression is matched line by line, and is case-sensitive unless it ends in /i.

    Raises:
        BadExpression: the expression is invalid, or could run forever.
    """
    spans = list(islice(_spans(text, query), most))
    if not spans:
        return []
    kind = kind or kind_of(text)
    lines, listed = line_spans(text), items(text, kind)
    found = headings(text) if kind == "markdown" else []
    sections = [heading.start for heading in found]
    hits = []
    for start, end in spans:
        line, inside = _place(lines, start), bisect_right(sections, start)
        path = found[inside - 1].path if inside else ""
        around = lines[line - 1][0], lines[_place(lines, end - 1) - 1][1]
        excerpt = _excerpt(text, around, start, end, context)
        hits.append(Occurrence(line, start, end, excerpt, path, _item(listed, start)))
    return hits


def count_hits(text: str, query: str) -> int:
    """Count the hits of a search."""
    return sum(1 for _ in _spans(text, query))


def _place(spans: list[Span], index: int) -> int:
    """Count the spans that start at or before an index."""
    return bisect_right(spans, index, key=itemgetter(0))


def _item(listed: list[Span], start: int) -> int | None:
    number = _place(listed, start)
    return number if number and start < listed[number - 1][1] else None


def _excerpt(text: str, line: Span, start: int, end: int, context: int) -> str:
    """Return the line around a hit, or as much of it as the context allows."""
    left = max(line[0], boundary(text, max(line[0], start - context)))
    right = min(line[1], next_boundary(text, min(line[1], end + context)))
    goes_on = right < line[1] and text[right] not in "\r\n"
    return f"{'…' if left > line[0] else ''}{text[left:right].strip()}{'…' if goes_on else ''}"


def _spans(text: str, query: str) -> Iterator[Span]:
    if expression := _EXPRESSION.fullmatch(query.strip()):
        pattern = compiled(expression[1], expression[2])
        return (span for line in line_spans(text) for span in _in_line(pattern, text, *line))
    words, lower = _words(query), text.lower()
    if not words:
        return iter(())
    if len(lower) == len(text):  # else a letter has a longer lower-case form, and the positions would differ
        return (found.span() for found in re.finditer(words, lower))
    return (found.span() for found in re.finditer(words, text, re.I))


def _words(query: str) -> str:
    """Return the pattern of a query: any white space between words, accents composed or decomposed."""
    forms = {unicodedata.normalize(form, query).lower() for form in ("NFC", "NFD")}
    return "|".join(r"\s+".join(map(re.escape, form.split())) for form in sorted(forms))


def _in_line(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    while start < end:
        stop = min(end, start + _WINDOW)
        after = stop
        for found in pattern.finditer(text, start, min(end, stop + _OVERLAP)):
            if found.start() >= stop:
                break
            if found.end() > found.start():
                yield found.span()
                after = max(after, found.end())
        start = after
