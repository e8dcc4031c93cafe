"""Planning: what callers ask for, as steps at the places that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from laconic.kit import BadArguments, Problem
from laconic.servers.google.docs.markdown.parsing import NO_TEXT, parse_markdown
from laconic.servers.google.docs.markdown.writing import markdown_of
from laconic.servers.google.docs.reading.blocking import blocks_of
from laconic.servers.google.docs.reading.blocks import Block, Losses
from laconic.servers.google.docs.reading.document import Document, Segment, Tab
from laconic.servers.google.docs.reading.finding import Found
from laconic.servers.google.docs.reading.flow import OBJECT, taken
from laconic.servers.google.docs.reading.outline import Section
from laconic.servers.google.docs.writing.anchors import Scope, check_parts, place_of, places_in, section_of
from laconic.servers.google.docs.writing.plans import EditStep, Plan, arranged
from laconic.servers.google.docs.writing.replacing import replace_part, replaced
from laconic.servers.google.docs.writing.texts import inserting, replacing, styling
from laconic.servers.google.models.docs import DocEdit
from laconic.text.graphemes import next_boundary

_ALL = " (docs_replaceAllText through tools_write changes all)"
_ACTIONS = ("replace", "before", "after", "style", "comment")


def planned(document: Document, edits: Sequence[DocEdit], scope: Scope) -> Plan:
    """Return the plan for edits.

    Raises:
        BadArguments: with everything that is wrong: anchors that are missing or not clear, overlaps.
    """
    steps: list[EditStep] = []
    problems: list[Problem] = []
    for number, edit in enumerate(edits, 1):
        try:
            steps += _steps(document, edit, scope, number)
        except BadArguments as error:
            problems.append(Problem(f"edits[{number - 1}]", f"Edit {number}: {error.message}"))
    if problems:
        raise BadArguments(problems)
    return arranged(document, steps)


def _steps(document: Document, edit: DocEdit, scope: Scope, number: int) -> Iterator[EditStep]:
    actions = [name for name in _ACTIONS if getattr(edit, name) is not None]
    if not actions:
        raise BadArguments(f"Say what to do: {', '.join(_ACTIONS)}.")
    if "replace" in actions and len(actions) > 1:
        raise BadArguments("Pass replace alone; before, after, style and comment are edits of their own.")
    tab = scope[0][0] if len({one.id for one, _ in scope}) == 1 else None
    section = section_of(document, edit.section, tab) if edit.section else None
    if edit.find is None:
        where = (section.tab, section.segment) if section else scope[0]
        check_parts(document, "\n".join(filter(None, (edit.replace, edit.before, edit.after))), *where)
        yield from _block_steps(edit, section, scope, number)
        return
    places = places_in(document, edit.find, scope, section)
    found = place_of(places, edit.find, edit.nth, scope, _ALL if edit.replace is not None else "")
    if isinstance(found, str):
        raise BadArguments(found)
    yield from _text_steps(edit, found, number, len(places))


def _text_steps(edit: DocEdit, found: Found, number: int, places: int) -> Iterator[EditStep]:
    segment, (start, end) = found.segment, found.range
    if not segment.flow.is_whole(found.start, found.end):
        raise BadArguments("This text goes over the border of a table cell. Edit each cell alone.")
    old = segment.flow.text[found.start : found.end]
    if edit.replace is not None:
        yield _replace_step(found, taken(edit.replace), number, places)
    if edit.before is not None:
        requests = inserting(segment, start, edit.before)
        yield EditStep(number, found.tab, segment, start, start, requests, taken(edit.before), places=places)
    if edit.after is not None:
        last = end - (old.endswith("\n") and end == segment.end)
        step = EditStep(
            number, found.tab, segment, last, last, inserting(segment, last, edit.after), taken(edit.after)
        )
        yield replace(step, follows=True, places=places)
    marks = styling(segment, start, end, edit.style) if edit.style is not None else []
    if edit.comment is not None:
        marks = [*marks, {"insertComment": {"range": segment.range(start, end), "content": edit.comment}}]
    if marks:
        yield EditStep(number, found.tab, segment, start, end, marks, old, is_mark=True, places=places)


def _replace_step(found: Found, new: str, number: int, places: int) -> EditStep:
    segment = found.segment
    if found.range[1] == segment.end:
        if not new.endswith("\n"):
            raise BadArguments("The last line break of a document cannot be replaced: leave it out of find.")
        found, new = replace(found, end=found.end - 1), new[:-1]  # it stays
    found, new = _with_whole_end(found, new)
    start, end = found.range
    return EditStep(number, found.tab, segment, start, end, replacing(found, new), new, places=places)


def _with_whole_end(found: Found, new: str) -> tuple[Found, str]:
    """Return a place and its new text with the rest of its last grapheme: Google inserts nothing in one."""
    text = found.segment.flow.text
    rest = text[found.end : next_boundary(text, found.end)]
    if not new or OBJECT in rest:
        return found, new
    return replace(found, end=found.end + len(rest)), new + rest


def _block_steps(edit: DocEdit, section: Section | None, scope: Scope, number: int) -> Iterator[EditStep]:
    if edit.style is not None or edit.comment is not None:
        raise BadArguments("A style or a comment needs find: the text that it is about.")
    tab, segment = (section.tab, section.segment) if section else scope[0]
    start, end = (section.start, section.end) if section else (_first(segment), segment.end)
    if edit.replace is not None:
        yield part_step(tab, segment, edit.replace, number, section)
    if edit.before is not None:
        yield _insert_step(tab, segment, start, edit.before, number)
    if edit.after is not None:
        yield _insert_step(tab, segment, end, edit.after, number)


def part_step(tab: Tab, segment: Segment, markdown: str, number: int, section: Section | None) -> EditStep:
    """Return the step after which a segment, or a section, has this markdown.

    A section keeps its heading unless the markdown begins with one of its level, or is empty.
    """
    losses = Losses()
    new = parse_markdown(markdown, losses)
    start, end = (section.start, section.end) if section else (_first(segment), segment.end)
    if section and new and not (new[0].kind == "heading" and new[0].level <= section.level):
        start = next(one["endIndex"] for one in segment.content if one.get("startIndex", 0) == start)
        if start == end:
            return _insert_step(tab, segment, end, markdown, number)
    if losses[NO_TEXT]:
        _check_notes(blocks_of(tab, segment, Losses(), start, end))
    done = replace_part(tab, segment, start, end, new)
    made = done.insertion
    text, lost = markdown_of(new), losses + done.losses
    step = EditStep(number, tab, segment, start, end, made.requests, text, made.notes, lost, is_blocks=True)
    return replace(step, replaces=True)


def _check_notes(old: Iterable[Block]) -> None:
    """Refuse markdown with footnotes whose texts are elsewhere: those of the document would be lost.

    Raises:
        BadArguments: the blocks have footnotes.
    """
    spans = [spans for block in old for spans in (block.spans, *(cell for row in block.rows for cell in row))]
    if any(span.note is not None for part in spans for span in part):
        raise BadArguments(
            "This markdown refers to footnotes without their texts, so those of the document would be lost. "
            "Add them ('[^1]: …'), as docs_getDocument with section shows them; or write \\[^1] for letters."
        )


def _insert_step(tab: Tab, segment: Segment, at: int, markdown: str, number: int) -> EditStep:
    losses = Losses()
    new: list[Block] = parse_markdown(markdown, losses)
    start = at
    if at == segment.end and _is_empty_last(segment):
        start = segment.content[-1].get("startIndex", 0)  # an empty last paragraph is filled
    made = replaced(segment, start, at, new) if new else None
    requests, notes = (made.requests, made.notes) if made else ([], [])
    return EditStep(
        number, tab, segment, start, at, requests, markdown_of(new), notes, losses, is_blocks=True
    )


def _is_empty_last(segment: Segment) -> bool:
    last = segment.content[-1]
    return bool(last["endIndex"] - last.get("startIndex", 0) == 1)


def _first(segment: Segment) -> int:
    """Return the index where a segment's content begins: after the section break of a body."""
    return int(segment.content[0].get("endIndex", 1)) if "sectionBreak" in segment.content[0] else 0
