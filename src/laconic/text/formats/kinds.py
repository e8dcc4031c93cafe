"""Kinds of text: a cheap, careful guess at which format a text has."""

import json
import re
from typing import Literal

from laconic.text.formats import json_scan, table
from laconic.text.formats.markdown import Heading, headings

Kind = Literal["json", "markdown", "table", "text"]
"""What a text is, as far as reading it in parts goes."""

_PARSED = 1_000_000  # up to here JSON is parsed; beyond, its beginning and its last bracket decide
_SAMPLE = 64_000
_DEPTH = 500
_STRUCTURE = re.compile(rf"{json_scan.STRING.pattern}|[\"\[\]{{}},]", re.S)
_CLOSING = {"[": "]", "{": "}"}


def kind_of(text: str) -> Kind:
    """Return whether a text is JSON, a table, markdown with headings, or just text."""
    if _is_json(text):
        return "json"
    if table.delimiter(text) is not None:
        return "table"
    return "markdown" if _is_markdown(text[:_SAMPLE]) else "text"


def _is_json(text: str) -> bool:
    start = json_scan.root(text)
    closing = _CLOSING.get(text[start : start + 1])
    if closing is None or not text[-_SAMPLE:].rstrip().endswith(closing):
        return False
    return _parses(text[start:]) if len(text) <= _PARSED else _starts_json(text[start : start + _SAMPLE])


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _starts_json(sample: str) -> bool:
    """True if a sample starts JSON: cut at its last string or comma and closed, it must parse."""
    cut, stack, closing = 0, "", ""
    for found in _STRUCTURE.finditer(sample):
        mark = found[0][0]
        if mark in _CLOSING:
            stack = _CLOSING[mark] + stack
        elif mark in "]}":
            stack = stack[1:]
        else:
            cut, closing = found.start(), stack
        if found[0] == '"' or len(stack) > _DEPTH:
            break  # a string that continues beyond the sample, or implausibly deep nesting
    if not cut or len(stack) > _DEPTH:
        return False
    fillers = ("",) if sample[cut] == "," else ('""', '"":0')
    return any(_parses(sample[:cut] + filler + closing) for filler in fillers)


def _is_markdown(sample: str) -> bool:
    """Comments of a program look like headings too, but have one level, and code follows immediately."""
    found = headings(sample)
    if not found or sample.startswith("#!"):
        return False
    if len(found) == 1 or any(heading.level > 1 for heading in found):
        return True
    return 2 * sum(_is_set_apart(sample, heading) for heading in found) > len(found)


def _is_set_apart(sample: str, heading: Heading) -> bool:
    lines = sample[heading.start : heading.end].splitlines()
    return len(lines) < 2 or not lines[1].strip()
