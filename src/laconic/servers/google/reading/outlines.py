"""Outlines: the headings of a text, as many as fit a summary, or all with their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from laconic.text import Heading

_LINES: Final = 40  # of a summary
_LONGEST: Final = 60  # letters of a heading


def outline_lines(marks: Sequence[Heading]) -> list[str]:
    """Return the headings for a summary, numbered: the upper levels, if all of them are too many."""
    shown = [place for place, mark in enumerate(marks) if mark.level <= _deepest(marks)]
    lines = [
        f"{place + 1} {'  ' * (marks[place].level - 1)}{_short(marks[place].title)}"
        for place in shown[:_LINES]
    ]
    more = len(marks) - len(lines)
    return [*lines, f"… and {more:,} more headings"] if more else lines


def _deepest(marks: Sequence[Heading]) -> int:
    """Return the level down to which all headings fit."""
    levels = sorted({mark.level for mark in marks})
    fitting = [level for level in levels if sum(mark.level <= level for mark in marks) <= _LINES]
    return fitting[-1] if fitting else levels[0] if levels else 1


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1].rstrip()}…"


def structure_lines(marks: Sequence[Heading]) -> list[str]:
    """Return all headings, each after the characters of its section."""
    return [f"{mark.start}-{mark.end} {'#' * mark.level} {mark.title}" for mark in marks]
