"""Literal search: every place of a text as it is written, with the lines around it."""

from collections.abc import Iterator

from laconic.data import dataclass
from laconic.text.lines import Span

__all__ = ["LiteralHit", "find_literal"]


@dataclass(frozen=True, slots=True)
class LiteralHit:
    """One place: the line where it starts (from 1), and the lines around it as they are."""

    line: int
    context: str


def find_literal(
    text: str, wanted: str, *, case_sensitive: bool = False, context: int = 2
) -> list[LiteralHit]:
    """Find a text, from left to right and without overlaps; `context` is how many lines before and after."""
    lines = text.split("\n")
    hits, line, done = [], 1, 0
    for start, end in _spans(text, wanted, case_sensitive):
        line += text.count("\n", done, start)
        done = start
        last = line + text.count("\n", start, end)
        around = lines[max(0, line - 1 - context) : last + context]
        hits.append(LiteralHit(line, "\n".join(around)))
    return hits


def _spans(text: str, wanted: str, case_sensitive: bool) -> Iterator[Span]:
    if case_sensitive or not wanted:
        yield from _occurrences(text, wanted)
        return
    folded, wanted = text.casefold(), wanted.casefold()
    if len(folded) == len(text):  # no letter has a longer form, so that the places are the same
        yield from _occurrences(folded, wanted)
        return
    origins = [place for place, letter in enumerate(text) for _ in letter.casefold()]
    for start, end in _occurrences(folded, wanted):
        yield origins[start], origins[end - 1] + 1


def _occurrences(text: str, wanted: str) -> Iterator[Span]:
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        yield start, start + len(wanted)
        start = text.find(wanted, start + len(wanted))
