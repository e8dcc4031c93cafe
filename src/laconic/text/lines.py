"""Lines of a text: broken at LF, CRLF and CR, and nowhere else."""

import re
from itertools import accumulate, pairwise

Span = tuple[int, int]

_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\n|\r)|[^\r\n]++")
_BREAK = re.compile(r"\r\n|\n|\r")


def line_starts(text: str) -> list[int]:
    """Say where each line begins; an empty text has no line."""
    return _borders(text)[:-1]


def line_spans(text: str) -> list[Span]:
    """Say where each line begins and ends, its break included."""
    return list(pairwise(_borders(text)))


def _borders(text: str) -> list[int]:
    return [0, *accumulate(map(len, _LINE.findall(text)))]


def line_at(text: str, index: int) -> Span:
    """Find the line an index stands in; the index of a line's first character stands in that line."""
    if text[index - 1 : index + 1] == "\r\n":
        index -= 1
    start = text.rfind("\n", 0, index) + 1
    start = max(start, text.rfind("\r", start, index) + 1)
    found = _BREAK.search(text, index)
    return start, found.end() if found else len(text)
