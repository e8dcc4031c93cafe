"""Bullets: list items as requests, from the last list to the first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from laconic.servers.google.docs.reading.blocks import BULLET
from laconic.servers.google.docs.reading.document import Segment
from laconic.servers.google.docs.writing.styles import PRESETS


class Item(NamedTuple):
    """A list item: its indices with its newline, and the tabs at its start that say how deep it is."""

    start: int
    end: int
    level: int
    mark: str


def bullets(segment: Segment, items: Sequence[Item]) -> list[dict[str, Any]]:
    """Return the requests that make lists of paragraphs."""
    found: list[dict[str, Any]] = []
    for run in reversed(_lists(items)):
        found += _run(segment, run)
    return found


def _lists(items: Sequence[Item]) -> list[list[Item]]:
    """Part items into lists: those that follow each other, with one mark at the top."""
    found: list[list[Item]] = []
    for item in items:
        last = found[-1] if found else None
        if last and last[-1].end == item.start and (item.level or item.mark == last[0].mark):
            last.append(item)
        else:
            found.append([item])
    return found


def _run(segment: Segment, run: list[Item]) -> list[dict[str, Any]]:
    """Make a list of items; deeper ones with another mark become lists of their own inside it.

    The list as a whole comes first, so that its numbers go on after what is inside. That removes the tabs, so
    the deeper items are taken out of it again and get theirs back.
    """
    mark = run[0].mark
    requests = [_request(segment, run[0].start, run[-1].end, mark)]
    shifts = [0, *accumulate(item.level for item in run)]
    bare = [
        item._replace(start=item.start - shift, end=item.end - shift - item.level)
        for item, shift in zip(run, shifts, strict=False)
    ]
    for inner in reversed(_inner(bare, mark)):
        tabbed, shift = [], 0
        for item in inner:
            tabbed.append(item._replace(start=item.start + shift, end=item.end + shift + item.level))
            shift += item.level
        requests.append({"deleteParagraphBullets": {"range": segment.range(inner[0].start, inner[-1].end)}})
        for item in reversed(inner):
            place = segment.location(item.start)
            requests.append({"insertText": {"location": place, "text": "\t" * item.level}})
        requests += _run(segment, tabbed)
    return requests


def _inner(items: list[Item], mark: str) -> list[list[Item]]:
    """Return the runs of items that have another mark, each with what is below it."""
    found: list[list[Item]] = []
    is_open = False
    for item in items:
        if is_open and item.level > found[-1][0].level:
            found[-1].append(item)
        elif item.mark != mark:
            joins = is_open and (item.level, item.mark) == (found[-1][0].level, found[-1][0].mark)
            if joins:
                found[-1].append(item)
            else:
                found.append([item])
            is_open = True
        else:
            is_open = False
    return found


def _request(segment: Segment, start: int, end: int, mark: str) -> dict[str, Any]:
    preset = PRESETS.get(mark, PRESETS[BULLET])
    return {"createParagraphBullets": {"range": segment.range(start, end), "bulletPreset": preset}}
