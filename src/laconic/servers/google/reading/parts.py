"""Parts: a range of characters that never begins or ends inside a block of markdown."""

from __future__ import annotations

import re
from typing import Final

from laconic.kit import BadArguments, Problem
from laconic.text import by_characters

WHOLE: Final = 4_000  # characters of a block that is never cut; a longer one can only be read in parts
_FENCE: Final = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


def part_of(text: str, start: int, end: int) -> str:
    """Return the blocks from one place up to another; ranges that meet join to the whole text.

    A range that is smaller than the block it is in is that block.

    Raises:
        BadArguments: there is no such range.
    """
    if start < 0 or start >= max(1, len(text)) or end <= start:
        message = f"There are no characters {start} to {end}: it has {len(text):,}."
        raise BadArguments([Problem("start", message, f"{start}-{end}")])
    first, last = _snapped(text, start), _snapped(text, end)
    if last <= first:
        last = _block(text, first)[1]
    return text[first:last]


def _snapped(text: str, place: int) -> int:
    """Return the start of the block at a place; within a very long one, a place where it may be cut."""
    if place <= 0 or place >= len(text):
        return max(0, min(place, len(text)))
    start, end = _block(text, place)
    return start if end - start <= WHOLE else max(start, by_characters(text, place, place, "markdown").start)


def _block(text: str, place: int) -> tuple[int, int]:
    """Return where the block at a place begins, and where the next one does."""
    fence = _fence(text, place)
    if fence is not None:
        return fence
    start, near = 0, text.rfind("\n\n", 0, place)
    while near >= 0:
        start = _after_blank(text, near)
        if start <= place:
            break
        start, near = 0, text.rfind("\n\n", 0, near)
    blank = text.find("\n\n", max(start, place - 1))
    return start, len(text) if blank < 0 else _after_blank(text, blank)


def _after_blank(text: str, place: int) -> int:
    while place < len(text) and text[place] == "\n":
        place += 1
    return place


def _fence(text: str, place: int) -> tuple[int, int] | None:
    """Return the fenced code around a place."""
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            if mark.start() > place:
                return None
            opened = mark
        elif mark[1].startswith(opened[1]) and not text[mark.end() : text.find("\n", mark.end())].strip():
            end = text.find("\n", mark.end())
            end = len(text) if end < 0 else end + 1
            if place < end:
                return opened.start(), end
            opened = None
    return (opened.start(), len(text)) if opened is not None else None
