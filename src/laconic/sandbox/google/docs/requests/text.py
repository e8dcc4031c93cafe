"""Requests that insert, delete and replace text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from laconic.sandbox.google.docs.draft import Draft, Segment
from laconic.sandbox.google.docs.editing import erase, insert, insert_text, paragraph_at
from laconic.sandbox.google.docs.requests import DocRequest
from laconic.sandbox.google.papers.blocks import is_paragraph, paragraph
from laconic.sandbox.google.papers.places import rebuilt, spot, walk
from laconic.sandbox.google.papers.runs import Row, run_size, split, text_run
from laconic.sandbox.google.papers.units import after_grapheme, cleaned, units
from laconic.sandbox.google.refusals import bad_request

__all__ = ["TEXT", "replace_range", "segments_of"]

_HOLE = "\ue000"  # in place of an element: no text has it


def segments_of(tab: Row) -> list[Segment]:
    """Return all segments of a tab."""
    return [Segment(tab, id, row) for id, row in tab["segments"].items()]


def _insert(draft: Draft, given: Row) -> Row:
    segment, index = draft.location(given)
    text = cleaned(given.get("text", ""))
    if not given.get("text"):
        raise bad_request("The text to insert must not be empty.")
    here = paragraph_at(segment, index)
    within = "".join(run.get("text") or "\n" * run_size(run) for run in here.block["runs"])
    insert_text(draft, segment, here.start + after_grapheme(within, index - here.start), text)
    return {}


def _delete(draft: Draft, given: Row) -> Row:
    segment, start, end = draft.range(given.get("range"))
    erase(draft, segment, start, end)
    return {}


def _replace_all(draft: Draft, given: Row) -> Row:
    wanted = given.get("containsText", {})
    if not wanted.get("text"):
        raise bad_request("The text to search for must not be empty.")
    pattern = wanted["text"] if wanted.get("searchByRegex") else re.escape(wanted["text"])
    try:
        sought = re.compile(pattern, 0 if wanted.get("matchCase") else re.IGNORECASE)
    except re.error:
        raise bad_request(f"Invalid regular expression: {pattern}") from None
    new, count = cleaned(given.get("replaceText", "")), 0
    for tab in draft.tabs(given.get("tabsCriteria")):
        for segment in segments_of(tab):
            found = [
                (place + start, place + end)
                for block, place in walk(segment.blocks)
                for start, end in _matches(block, sought)
            ]
            count += len(found)
            if found and not draft.suggestion and "\n" not in new:
                _replace_in_place(draft, segment, sought, new, found)
                continue
            for start, end in reversed(found):
                replace_range(draft, segment, start, end, new)
    return {"replaceAllText": {"occurrencesChanged": count} if count else {}}


def _matches(block: Row, sought: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield where a paragraph has what is sought, from its own beginning."""
    text = "".join(run.get("text") or _HOLE * run_size(run) for run in block["runs"])[:-1]
    for match in sought.finditer(text):
        if match[0] and _HOLE not in match[0]:
            first = units(text[: match.start()])
            yield first, first + units(match[0])


def _replace_in_place(
    draft: Draft, segment: Segment, sought: re.Pattern[str], new: str, found: list[tuple[int, int]]
) -> None:
    """Replace all matches at once, each by text in its own style."""

    def replaced(block: Row, place: int) -> Row:
        made, runs, at = list[Row](), block["runs"], 0
        for start, end in _matches(block, sought):
            left, rest = split(runs, start - at)
            old, runs = split(rest, end - start)
            made += [*left, text_run(new, old[0]["style"])]
            at = end
        return paragraph([*made, *runs], block) if made else block

    blocks = segment.row["blocks"]
    blocks[0 : len(blocks)] = rebuilt(blocks, replaced)
    for start, end in reversed(found):
        draft.shift(segment, end, 0, units(new))
        draft.shift(segment, start, end - start, 0)


def replace_range(draft: Draft, segment: Segment, start: int, end: int, text: str) -> None:
    """Put text, in the style of what begins a range, in its place."""
    if text:
        insert(draft, segment, end, [text_run(text, _style_at(segment, start))])
    erase(draft, segment, start, end)


def _style_at(segment: Segment, index: int) -> Row:
    here = spot(segment.blocks, index)
    if not is_paragraph(here.block):
        return {}
    found: Row = split(here.block["runs"], index - here.start)[1][0]["style"]
    return found


TEXT: Final[Mapping[str, DocRequest]] = {
    "deleteContentRange": _delete,
    "insertText": _insert,
    "replaceAllText": _replace_all,
}
