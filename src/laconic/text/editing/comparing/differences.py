"""Differences: why a text that was asked for is not the one that is there, word by word."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from laconic.text.editing.comparing.folding import DASHES, QUOTES, fold, is_invisible
from laconic.text.editing.comparing.sequences import UnequalRun, compare
from laconic.text.editing.ranges import LineNumbers
from laconic.text.lines import Span

Reason = Literal[
    "tabs", "indentation", "trailing blanks", "blanks", "line break", "case", "quotes", "dashes", "accents",
    "invisible", "look-alikes", "text",
]  # fmt: skip

_STEPS = 20_000
_LONGEST = 20_000  # characters that are compared
_TOKEN = re.compile(r"\r\n|\n|\r|[^\S\r\n]+|\w+|.")


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a text differs from what was asked for; `accents` means composed against decomposed.

    `line` and `column` (from 1) are where `found` is in the text. One of the two strings may be empty.
    """

    reason: Reason
    asked: str
    found: str
    line: int
    column: int


class Alignment:
    """A text that was asked for beside a part of another text, word by word."""

    def __init__(self, asked: str, text: str, span: Span) -> None:
        self._text = text
        start, end = span
        self._asked, self._found = (
            _tokens(asked[:_LONGEST]),
            _tokens(text[start : min(end, start + _LONGEST)]),
        )
        self._origins = [*accumulate(map(len, self._found), initial=start)]
        self._runs = compare(self._asked, self._found, _STEPS).runs

    def part(self) -> Span:
        """Return the span without what only the text has before and after the words asked for."""
        first, last = 0, len(self._found)
        for run in self._runs if self._has_common else ():
            length = min(run.end - run.start, run.new_end - run.new_start)
            if run.start == 0:
                first = run.new_end - length
            if run.end == len(self._asked):
                last = run.new_start + length
        return self._origins[first], self._origins[last]

    @property
    def _has_common(self) -> bool:
        return sum(run.end - run.start for run in self._runs) < len(self._asked)

    def differences(self, lines: LineNumbers) -> Iterator[Difference]:
        """Yield the differences in order."""
        for run in self._runs:
            for one in _pairs(run):
                yield self._difference(one, lines)

    def _difference(self, run: UnequalRun, lines: LineNumbers) -> Difference:
        asked, found = (
            "".join(self._asked[run.start : run.end]),
            "".join(self._found[run.new_start : run.new_end]),
        )
        start, end = self._origins[run.new_start], self._origins[run.new_end]
        follows = self._text[end : end + 1] or "\n"
        reason = _reason(
            asked, found, is_first=self._text[start - 1 : start] in "\n", is_last=follows in "\r\n"
        )
        return Difference(reason, asked, found, lines.at(start), lines.column(start))


def _tokens(text: str) -> list[str]:
    """Split into words, white space, line breaks and single characters."""
    return _TOKEN.findall(text)


def _pairs(run: UnequalRun) -> Iterator[UnequalRun]:
    """Split a run of as many tokens on both sides into single ones."""
    if run.end - run.start != run.new_end - run.new_start:
        yield run
        return
    for index in range(run.end - run.start):
        start, new_start = run.start + index, run.new_start + index
        yield UnequalRun(start, start + 1, new_start, new_start + 1)


def _reason(asked: str, found: str, *, is_first: bool, is_last: bool) -> Reason:
    if not (asked + found).strip():
        return _blank_reason(asked, found, is_first=is_first, is_last=is_last)
    if _composed(asked) == _composed(found):
        return "accents"
    if asked.lower() == found.lower():
        return "case"
    if _visible(asked) == _visible(found):
        return "invisible"
    if asked.translate(QUOTES) == found.translate(QUOTES):
        return "quotes"
    if asked.translate(DASHES) == found.translate(DASHES):
        return "dashes"
    return "look-alikes" if fold(asked) == fold(found) else "text"


def _blank_reason(asked: str, found: str, *, is_first: bool, is_last: bool) -> Reason:
    if set(asked + found) & {"\r", "\n"}:
        return "line break"
    if asked and found and ("\t" in asked) != ("\t" in found):
        return "tabs"
    if is_first:
        return "indentation"
    return "trailing blanks" if is_last else "blanks"


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _visible(text: str) -> str:
    return "".join(letter for letter in text if not is_invisible(letter))
