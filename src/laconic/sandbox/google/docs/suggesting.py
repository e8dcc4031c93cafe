"""Suggesting: in suggestion mode nothing is changed; content gets marks that somebody accepts or rejects."""

from __future__ import annotations

from collections.abc import Sequence

from laconic.sandbox.google.docs.draft import Draft, Segment
from laconic.sandbox.google.papers.blocks import paragraph
from laconic.sandbox.google.papers.places import changed, spot
from laconic.sandbox.google.papers.runs import Row, run_size, split

__all__ = ["marked", "own_parts", "suggest_deletion"]


def marked(draft: Draft, things: Sequence[Row]) -> list[Row]:
    """Return runs or blocks that are inserted, as a suggestion in suggestion mode."""
    if not draft.suggestion:
        return list(things)
    draft.notes += [f"Add: {_words(one)}" for one in things if _words(one)] or ["Add: an element"]
    return [{**one, "inserted": [draft.suggestion]} for one in things]


def _words(thing: Row) -> str:
    text = str(thing.get("text", "")).strip()
    return f'"{text[:80]}"' if text else ""


def own_parts(draft: Draft, segment: Segment, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a range that the same person suggested to insert, which are simply deleted."""
    mine = {one["id"] for one in draft.doc["suggestions"] if one["email"] == draft.person.email}
    found: list[tuple[int, int]] = []

    def noted(block: Row, place: int) -> Row:
        first, last = max(start, place), min(end, place + block["size"])
        inner = split(split(block["runs"], first - place)[1], last - first)[0]
        at = first
        for run in inner:
            size = run_size(run)
            if mine & set(run.get("inserted", ())):
                found.append((at, at + size))
            at += size
        return block

    changed(segment.row, start, end, noted)
    return found


def suggest_deletion(draft: Draft, segment: Segment, start: int, end: int) -> None:
    """Mark a range as one that somebody suggests to delete."""

    def struck(block: Row, place: int) -> Row:
        first, last = max(start - place, 0), min(end - place, block["size"])
        left, rest = split(block["runs"], first)
        inner, right = split(rest, last - first)
        draft.notes += [f"Delete: {_words(one)}" for one in inner if _words(one)] or ["Delete: an element"]
        return paragraph([*left, *(_struck(draft, run) for run in inner), *right], block)

    changed(segment.row, start, end, struck)
    here, last = spot(segment.blocks, start), spot(segment.blocks, end - 1)
    if not here.path:
        for at in range(here.at, last.at + 1):
            if "runs" not in segment.blocks[at]:
                segment.blocks[at] = _struck(draft, segment.blocks[at])


def _struck(draft: Draft, thing: Row) -> Row:
    ids = thing.get("deleted", [])
    return {**thing, "deleted": [*ids, draft.suggestion]}
