"""Tables: the rows and heads of TSV, CSV and pipe tables, alone or inside a text."""

import re
from bisect import bisect_right
from functools import lru_cache

from laconic.lazily import regex
from laconic.text.lines import Span, line_at, line_spans

_SAMPLE = 64_000
_RULE = regex(r"[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?\s*+\Z")
_PIPE = regex(r"(?<!\\)\|")


def delimiter(text: str) -> str | None:
    """Return what separates the cells if the whole text is one table: tab, comma, semicolon or pipe."""
    sample = text[:_SAMPLE]
    for mark in "|\t,;":
        if mark in sample and _is_table(sample, mark, whole=len(text) <= _SAMPLE):
            return mark
    return None


def _is_table(sample: str, mark: str, *, whole: bool) -> bool:
    spans = _filled(sample, mark)
    lines = [sample[start:end] for start, end in (spans if whole else spans[:-1])]
    if len(lines) < 2:
        return False
    if mark == "|" and is_rule(lines[1]):
        return all("|" in line for line in lines)
    table = [cells(line, mark) for line in lines]
    if len(table[0]) < 2 or any(len(row) != len(table[0]) for row in table):
        return False
    if mark == "\t":
        return any(row[0] for row in table)  # otherwise it is indented text
    return len(table) + len(table[0]) > 4 and _is_head(lines[0], table[0])


def _is_head(line: str, row: list[str]) -> bool:
    """Prose and code have commas and pipes too, but with spaces; column names are short and distinct."""
    tight = line.startswith("|") or " |" not in line
    return tight and len(set(row)) == len(row) and all(0 < len(cell) <= 60 and cell[0] != " " for cell in row)


def is_rule(line: str) -> bool:
    """True if a line is the rule below the head of a pipe table."""
    return "|" in line and _RULE.match(line) is not None


@lru_cache(maxsize=4)
def _field(mark: str) -> str:
    return rf'(?:"(?:[^"]++|"")*+"(?=[{mark}\r\n]|\Z)|[^{mark}\r\n]*+)'


@lru_cache(maxsize=4)
def _row(mark: str) -> re.Pattern[str]:
    return re.compile(rf"{_field(mark)}(?:{mark}{_field(mark)})*+(?:\r\n|\n|\r|\Z)")


def _filled(text: str, mark: str) -> list[Span]:
    """Find the rows that are not blank. Only with commas and semicolons can cells be quoted."""
    if mark in "\t|" or '"' not in text:
        spans = line_spans(text)
    else:
        spans = [found.span() for found in _row(mark).finditer(text)]
    blank = " \r\n" if mark == "\t" else None  # only tabs: a row of empty cells
    return [(start, end) for start, end in spans if text[start:end].strip(blank)]


def cells(row: str, mark: str) -> list[str]:
    """Split one row into its cells."""
    row = row.rstrip("\r\n")
    if mark == "\t":
        return row.split("\t")
    if mark == "|":
        row = row.strip(" \t>").removeprefix("|")
        row = row[:-1] if row.endswith("|") and not row.endswith("\\|") else row
        return [cell.strip() for cell in _PIPE.split(row)]
    return [_unquoted(cell) for cell in re.findall(f"({_field(mark)}){mark}", row + mark)]


def _unquoted(cell: str) -> str:
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if quoted else cell


def rows(text: str) -> list[Span]:
    """Find the rows, including the head.

    If the text is one table, its rows join to the whole; otherwise these are the rows of its pipe tables.
    """
    mark = delimiter(text)
    if mark is None:
        return [row for table in pipe_tables(text, line_spans(text)) for row in table]
    return _touching(text, mark)


def _touching(text: str, mark: str) -> list[Span]:
    """Find the rows, each with the blank lines after it."""
    starts = [0, *(start for start, _ in _filled(text, mark)[1:])]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def row_at(text: str, index: int) -> Span:
    """Find the row around an index of a text that is one table; an empty span where a row starts."""
    mark = delimiter(text) if '"' in text else None
    found = _touching(text, mark) if mark and mark in ",;" else [line_at(text, index)]
    row = found[bisect_right(found, (index, len(text))) - 1]
    return row if row[0] < index else (index, index)


def head(text: str) -> list[str]:
    """Return the column names of the table, or of the first table inside the text."""
    mark = delimiter(text)
    found = _filled(text, mark) if mark else rows(text)
    return cells(text[found[0][0] : found[0][1]], mark or "|") if found else []


def body(text: str) -> list[Span]:
    """Find the rows after the head of a text that is one table."""
    found = rows(text) if delimiter(text) else []
    ruled = len(found) > 1 and is_rule(text[found[1][0] : found[1][1]])
    return found[2:] if ruled else found[1:]


def pipe_tables(text: str, lines: list[Span]) -> list[list[Span]]:
    """Find pipe tables: a line with pipes, a rule below it, and the lines with pipes that follow."""
    tables: list[list[Span]] = []
    after = 0
    for number, (start, end) in enumerate(lines if "|" in text else []):
        if number < max(after, 1) or text.find("|", start, end) < 0 or not is_rule(text[start:end]):
            continue
        first = after = number - 1
        while after < len(lines) and text.find("|", *lines[after]) >= 0:
            after += 1
        if after > number:
            tables.append(lines[first:after])
    return tables
