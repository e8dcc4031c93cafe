"""Editing: content is put into a segment, or taken out of it; every request that does so comes here."""

from __future__ import annotations

from collections.abc import Sequence

from laconic.sandbox.google.docs.draft import Draft, Segment
from laconic.sandbox.google.docs.suggesting import marked, own_parts, suggest_deletion
from laconic.sandbox.google.papers.blocks import is_paragraph, paragraph, paragraphs
from laconic.sandbox.google.papers.places import Spot, changed, end_of, put, spot
from laconic.sandbox.google.papers.runs import Row, element_run, inherited, run_size, split, text_run
from laconic.sandbox.google.refusals import GoogleRefusal, bad_request

__all__ = [
    "erase",
    "insert",
    "insert_block",
    "insert_element",
    "insert_text",
    "paragraph_at",
    "renumber",
]


def paragraph_at(segment: Segment, index: int) -> Spot:
    """Return where an index is, if that is in a paragraph.

    Raises:
        GoogleRefusal: it is between blocks.
    """
    here = spot(segment.blocks, index)
    if not is_paragraph(here.block):
        raise bad_request("The insertion index must be inside the bounds of an existing paragraph.")
    return here


def insert_text(draft: Draft, segment: Segment, index: int, text: str) -> None:
    """Insert text with the style of what is before it."""
    here = paragraph_at(segment, index)
    left, right = _parted(here, index)
    insert(draft, segment, index, [text_run(text, inherited(left, right))])


def insert(draft: Draft, segment: Segment, index: int, runs: Sequence[Row]) -> None:
    """Insert runs into a paragraph; each newline in them ends one."""
    here = paragraph_at(segment, index)
    left, right = _parted(here, index)
    at = here.start + sum(map(run_size, left))
    new = paragraphs([*left, *marked(draft, runs), *right], here.block)
    put(segment.row, here.path, here.at, here.at + 1, [draft.with_heading(one) for one in new])
    draft.shift(segment, at, 0, sum(map(run_size, runs)))


def insert_element(draft: Draft, segment: Segment, index: int, kind: str, value: Row) -> None:
    """Insert an element that counts as one unit, with the style of what is before it."""
    left, right = _parted(paragraph_at(segment, index), index)
    insert(draft, segment, index, [element_run(kind, value, inherited(left, right))])


def renumber(tab: Row) -> None:
    """Number the references to footnotes in their order."""
    count = 0

    def numbered(block: Row, place: int) -> Row:
        nonlocal count
        if not any("element" in run for run in block["runs"]):
            return block
        runs = []
        for run in block["runs"]:
            if "footnoteReference" in run.get("element", ()):
                count += 1
                reference = {**run["element"]["footnoteReference"], "footnoteNumber": str(count)}
                run = {**run, "element": {"footnoteReference": reference}}
            runs.append(run)
        return {**block, "runs": runs}

    body = tab["segments"][""]
    changed(body, 0, end_of(body["blocks"]), numbered)


def _parted(here: Spot, index: int) -> tuple[list[Row], list[Row]]:
    """Part the runs of a paragraph; inside of a surrogate pair, that is before it."""
    try:
        return split(here.block["runs"], index - here.start)
    except GoogleRefusal:
        return split(here.block["runs"], index - here.start - 1)


def insert_block(draft: Draft, segment: Segment, index: int, block: Row) -> None:
    """Insert a table or a section break, with a newline before it."""
    here = paragraph_at(segment, index)
    left, right = _parted(here, index)
    end, new = marked(draft, [text_run("\n", inherited(left, right)), block])
    before, after = paragraphs([*left, end, *right], here.block)
    put(segment.row, here.path, here.at, here.at + 1, [before, new, draft.with_heading(after)])
    draft.shift(segment, index, 0, 1 + block["size"])


def erase(draft: Draft, segment: Segment, start: int, end: int) -> None:
    """Take a range out of a segment.

    Raises:
        GoogleRefusal: what is left would be no document.
    """
    _check(segment, start, end)
    if not draft.suggestion:
        _erase(draft, segment, start, end)
        return
    own = own_parts(draft, segment, start, end)
    suggest_deletion(draft, segment, start, end)
    for first, last in reversed(own):
        try:
            _check(segment, first, last)
        except GoogleRefusal:  # alone it cannot go, so it stays as marked
            continue
        _erase(draft, segment, first, last)


def _erase(draft: Draft, segment: Segment, start: int, end: int) -> None:
    first, last = spot(segment.blocks, start), spot(segment.blocks, end - 1)
    head = split(first.block["runs"], start - first.start)[0] if is_paragraph(first.block) else []
    stop, tail, owner = last.at + 1, list[Row](), first.block
    if is_paragraph(last.block):
        tail, owner = split(last.block["runs"], end - last.start)[1], last.block
    if not tail and head:  # the newline goes, so the next paragraph comes up
        tail, owner, stop = last.blocks[stop]["runs"], last.blocks[stop], stop + 1
    new = [paragraph([*head, *tail], first.block if head else owner)] if head or tail else []
    gone = first.blocks[first.at : stop]
    put(segment.row, first.path, first.at, stop, new)
    draft.shift(segment, start, end - start, 0)
    if draft.forget(segment.tab, gone):
        renumber(segment.tab)


def _check(segment: Segment, start: int, end: int) -> None:
    """Refuse to delete what would leave no document."""
    first, last = spot(segment.blocks, start), spot(segment.blocks, end - 1)
    for here, edge in ((first, start), (last, end)):
        if is_paragraph(here.block):
            split(here.block["runs"], edge - here.start)  # refuses half a surrogate pair
    if first.path != last.path:
        raise _invalid("A range that begins or ends inside of a table must stay in one cell.")
    stop = last.start + last.block["size"]
    is_whole = is_paragraph(first.block) or start == first.start
    if not is_whole or not (is_paragraph(last.block) or end == stop):
        raise _invalid("A table can be deleted only as a whole.")
    if "section" in first.block and first.start == 0:
        raise _invalid("The section break at the beginning cannot be deleted.")
    if end == first.end:
        raise _invalid("The last newline of a segment or a cell cannot be deleted.")
    is_open = is_paragraph(first.block) and start > first.start  # what is left of it needs a newline
    if end == stop and not is_paragraph(last.blocks[last.at + 1]) and (is_open or is_paragraph(last.block)):
        raise _invalid("The newline before a table or a section break cannot be deleted without it.")


def _invalid(why: str) -> GoogleRefusal:
    return bad_request(f"Invalid deletion range. Cannot delete the requested range. {why}")
