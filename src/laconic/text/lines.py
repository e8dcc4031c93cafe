"""Lines of a text, separated by LF, CRLF or CR and nothing else."""

from itertools import accumulate, pairwise

from laconic.lazily import regex

Span = tuple[int, int]

_LINE = regex(r"[^\r\n]*+(?:\r\n|\n|\r)|[^\r\n]++")
_BREAK = regex(r"\r\n|\n|\r")


def line_starts(text: str) -> list[int]:
    """Return where each line starts; an empty text has no lines."""
    return _borders(text)[:-1]


def line_spans(text: str) -> list[Span]:
    """Return where each line starts and ends, including its line break."""
    return list(pairwise(_borders(text)))


def _borders(text: str) -> list[int]:
    return [0, *accumulate(map(len, _LINE.findall(text)))]


def line_at(text: str, index: int) -> Span:
    """Find the line that contains an index; a line contains its first character."""
    if text[index - 1 : index + 1] == "\r\n":
        index -= 1
    start = text.rfind("\n", 0, index) + 1
    start = max(start, text.rfind("\r", start, index) + 1)
    found = _BREAK.search(text, index)
    return start, found.end() if found else len(text)
