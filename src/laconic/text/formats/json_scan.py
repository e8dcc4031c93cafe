"""A scanner for JSON text: finds where values start and end, without parsing them."""

import re
from typing import NamedTuple

from laconic.text.lines import Span

# Strings are matched possessively (no backtracking), so each scan is linear.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_FLAT = rf'[^"\[\]{{}}]*+(?:{_STRING}[^"\[\]{{}}]*+)*+'
_LEAF = rf"[\[{{]{_FLAT}[\]}}]"

STRING = re.compile(_STRING, re.S)
_BLANK = re.compile(r"[ \t\r\n\ufeff]*+")
_SCALAR = re.compile(r"[-+.\w]*+")
_GAP = re.compile(r"[ \t\r\n,]*+")
_COLON = re.compile(r"[ \t\r\n]*+:[ \t\r\n]*+")
_TO_BRACKET = re.compile(rf'[^"\[\]{{}}]*+(?:(?:{_STRING}|{_LEAF})[^"\[\]{{}}]*+)*+', re.S)
_TO_OPEN_STRING = re.compile(rf'[^"]*+(?:{_STRING}[^"]*+)*+', re.S)
_CHARACTERS = re.compile(r'"(?:[^"\\]++|\\u[0-9a-fA-F]{4}|\\[^u])*+', re.S)
_ITEM = re.compile(rf"({_LEAF}|{_STRING}|[-+.\w]++)[ \t\r\n,]*+", re.S)  # that contains no list or object
_HIGH, _LOW = re.compile(r"\\u[dD][89abAB]"), re.compile(r"\\u[dD][c-fC-F]")


class JsonMember(NamedTuple):
    """One key of an object and the position of its value."""

    key: Span
    start: int
    end: int


def root(text: str) -> int:
    """Find where the value of a JSON text starts."""
    return _end(_BLANK, text, 0)


def value_end(text: str, start: int) -> int:
    """Find the end of the value that starts here; if it is unfinished, the end of the text."""
    letter = text[start : start + 1]
    if letter == '"':
        found = STRING.match(text, start)
        return found.end() if found else len(text)
    return _closing(text, start) if letter and letter in "[{" else _end(_SCALAR, text, start)


def _closing(text: str, start: int) -> int:
    depth = 0
    while start < len(text):
        letter = text[start]
        if letter == '"':
            return len(text)  # a string without an end
        depth += 1 if letter in "[{" else -1
        if depth == 0:
            return start + 1
        start = _end(_TO_BRACKET, text, start + 1)
    return len(text)


def _end(pattern: re.Pattern[str], text: str, start: int, stop: int | None = None) -> int:
    found = pattern.match(text, start, len(text) if stop is None else stop)
    return found.end() if found else start


def elements(text: str, start: int) -> list[Span]:
    """Find the values of the array that starts here."""
    spans: list[Span] = []
    at = _end(_GAP, text, start + 1)
    while True:
        if item := _ITEM.match(text, at):
            spans.append(item.span(1))
            at = item.end()
        elif (end := value_end(text, at)) > at:
            spans.append((at, end))
            at = _end(_GAP, text, end)
        else:
            return spans


def members(text: str, start: int) -> list[JsonMember]:
    """Find the keys and values of the object that starts here."""
    found: list[JsonMember] = []
    at = _end(_GAP, text, start + 1)
    while key := STRING.match(text, at):
        at = _end(_COLON, text, key.end())
        end = value_end(text, at)
        found.append(JsonMember(key.span(), at, end))
        at = _end(_GAP, text, end)
    return found


class Scan:
    """A JSON text whose lists and objects are scanned on first use, each only once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._elements: dict[int, list[Span]] = {}
        self._members: dict[int, list[JsonMember]] = {}

    def elements(self, start: int) -> list[Span]:
        """Return the values of the array that starts here."""
        if start not in self._elements:
            self._elements[start] = elements(self.text, start)
        return self._elements[start]

    def members(self, start: int) -> list[JsonMember]:
        """Return the keys and values of the object that starts here."""
        if start not in self._members:
            self._members[start] = members(self.text, start)
        return self._members[start]


def token_at(text: str, index: int) -> Span:
    """Find the string, number or word around an index; if there is none, an empty span at the index."""
    line = max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1  # strings do not span lines
    start = _end(_TO_OPEN_STRING, text, line, index)
    if start < index:
        return start, value_end(text, start)
    while start > line and _is_word(text[start - 1]):
        start -= 1
    end = _end(_SCALAR, text, start)
    return (start, end) if start < index < end else (index, index)


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter in "-+._"


def last_cut(text: str, start: int, limit: int) -> int:
    """Find the last gap between two tokens up to a limit, starting at such a gap.

    A longer token is kept whole.
    """
    cut = _end(_TO_OPEN_STRING, text, start, limit)
    while start < cut < len(text) and _is_word(text[cut - 1]) and _is_word(text[cut]):
        cut -= 1
    return cut if cut > start else max(value_end(text, start), start + 1)


def character_at(text: str, string: int, index: int) -> int:
    """Find the nearest position at or before an index that is not inside an escape of the string."""
    index = _end(_CHARACTERS, text, string, index)
    if _HIGH.match(text, index - 6) and _LOW.match(text, index):
        index -= 6
    return index
