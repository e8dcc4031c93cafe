"""Replacing: blocks in place of a part of a segment, where only what differs is touched.

So that what markdown cannot express stays as it is wherever nothing was changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laconic.kit import BadArguments
from laconic.servers.google.docs.markdown.writing import key_of
from laconic.servers.google.docs.reading.blocking import blocks_of
from laconic.servers.google.docs.reading.blocks import Block, Losses
from laconic.servers.google.docs.reading.document import Segment, Tab
from laconic.servers.google.docs.writing.layout import Insertion, Request, insertion
from laconic.text.editing.comparing.sequences import UnequalRun, compare


@dataclass(frozen=True)
class Replacing:
    """What is sent, and what of the replaced parts markdown could not have kept."""

    insertion: Insertion
    losses: Losses
    changed: int  # blocks that are new or gone


def replace_part(tab: Tab, segment: Segment, start: int, end: int, new: Sequence[Block]) -> Replacing:
    """Return the requests after which a part of a segment, from block to block, has these blocks."""
    old = list(blocks_of(tab, segment, Losses(), start, end))
    if not old and not new:
        return Replacing(Insertion(), Losses(), 0)
    if not old:
        return Replacing(replaced(segment, start, end, new), Losses(), len(new))
    runs = compare([key_of(one) for one in old], [key_of(one) for one in new]).runs
    done, losses, changed = Insertion(), Losses(), 0
    for run in reversed(_widened(runs, old, new)):
        first, last = _range(run, old)
        one = replaced(segment, first, last, new[run.new_start : run.new_end])
        done.requests += one.requests
        done.notes += one.notes
        changed += max(run.end - run.start, run.new_end - run.new_start)
        if last > first:
            list(blocks_of(tab, segment, losses, first, last))
    return Replacing(done, losses, changed)


def _range(run: UnequalRun, old: Sequence[Block]) -> tuple[int, int]:
    if run.end > run.start:
        return old[run.start].start, old[run.end - 1].end
    place = old[run.start].start if run.start < len(old) else old[-1].end
    return place, place


def _widened(runs: list[UnequalRun], old: Sequence[Block], new: Sequence[Block]) -> list[UnequalRun]:
    """Take in code beside changed code: two pieces of it would become one."""
    found: list[UnequalRun] = []
    for run in runs:
        start, end, new_start, new_end = run
        while start and old[start - 1].kind == "code" and _is_code(new, new_start, old, start, end):
            start, new_start = start - 1, new_start - 1
        while end < len(old) and old[end].kind == "code" and _is_code(new, new_end - 1, old, end - 1, start):
            end, new_end = end + 1, new_end + 1
        if found and start <= found[-1].end:
            before = found.pop()
            start, new_start = before.start, before.new_start
        found.append(UnequalRun(start, end, new_start, new_end))
    return found


def _is_code(new: Sequence[Block], at: int, old: Sequence[Block], other: int, limit: int) -> bool:
    """True if a changed run has code at its edge, before or after."""
    return (0 <= at < len(new) and new[at].kind == "code") or (
        0 <= other < len(old) and other != limit and old[other].kind == "code"
    )


def replaced(segment: Segment, start: int, end: int, new: Sequence[Block]) -> Insertion:
    """Return the requests that put blocks in place of whole paragraphs and tables."""
    before, last, after = _neighbours(segment, start, end)
    if not new:
        return Insertion(_deletion(segment, start, end, after))
    if "paragraph" in after:
        return _after_deleting(segment, start, end, insertion(segment, start, new, trail=True))
    if "paragraph" in last and end > start:
        return _after_deleting(segment, start, end - 1, insertion(segment, start, new))
    if "paragraph" in before:
        return _after_deleting(segment, start, end, insertion(segment, start - 1, new, lead=True))
    raise BadArguments("Nothing can be inserted between two tables, or before a table at the very top.")


def _neighbours(segment: Segment, start: int, end: int) -> tuple[Mapping[str, Any], ...]:
    """Return what is before a part, its last element, and what is after it; empty where nothing is."""
    before: Mapping[str, Any] = {}
    last: Mapping[str, Any] = {}
    after: Mapping[str, Any] = {}
    for element in segment.content:
        if element.get("endIndex") == start:
            before = element
        if element.get("endIndex") == end:
            last = element
        if element.get("startIndex", 0) == end and "endIndex" in element:
            after = element
    return before, last, after


def _deletion(segment: Segment, start: int, end: int, after: Mapping[str, Any]) -> list[Request]:
    """Delete a part; where its last newline must stay, that becomes an empty paragraph."""
    if "paragraph" in after:
        return _delete(segment, start, end)
    normal = {"namedStyleType": "NORMAL_TEXT"}
    rest = segment.range(start, start + 1)
    return [
        *_delete(segment, start, end - 1),
        {"deleteParagraphBullets": {"range": rest}},
        {"updateParagraphStyle": {"range": rest, "paragraphStyle": normal, "fields": "*"}},
    ]


def _delete(segment: Segment, start: int, end: int) -> list[Request]:
    return [{"deleteContentRange": {"range": segment.range(start, end)}}] if end > start else []


def _after_deleting(segment: Segment, start: int, end: int, then: Insertion) -> Insertion:
    return Insertion([*_delete(segment, start, end), *then.requests], then.notes)
