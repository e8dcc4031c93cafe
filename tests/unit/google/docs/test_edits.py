"""Edits in any order: the same as one after the other, in one batch."""

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.servers.google.docs.reading.blocks import Block
from laconic.servers.google.docs.reading.document import Document
from laconic.servers.google.docs.writing.planning import planned
from laconic.servers.google.models.docs import DocEdit
from laconic.text.graphemes import is_boundary, next_boundary
from tests.unit.google.docs.paper import Paper
from tests.unit.google.docs.random_blocks import BLOCKS, TEXTS


class Place(NamedTuple):
    """A piece of a line, and what is done with it."""

    start: int
    end: int
    edit: DocEdit


def nth_of(text: str, start: int, piece: str) -> int | None:
    """Which occurrence of a piece begins here, counted without overlaps; None if none does."""
    number, at = 0, text.find(piece)
    while 0 <= at <= start:
        number += 1
        if at == start:
            return number
        at = text.find(piece, at + len(piece))
    return None


def edit_of(text: str, start: int, end: int, kind: str, new: str) -> DocEdit | None:
    nth = nth_of(text, start, text[start:end])
    given = {kind: new} if kind != "style" else {kind: "bold"}
    return DocEdit(find=text[start:end], nth=nth, **given) if nth is not None else None


WHOLE = TEXTS.filter(lambda text: is_boundary("a" + text, 1))  # it does not change the letter before it


@st.composite
def places(draw: st.DrawFn, text: str) -> list[Place]:
    """Pieces of whole letters that do not overlap, in the order of the text."""
    found: list[Place] = []
    at, letters = 0, text.replace("\ufffc", "\n")
    for _ in range(draw(st.integers(1, 5))):
        start = next_boundary(letters, draw(st.integers(at, max(at, len(text) - 2))))
        line = text.find("\n", start)
        if line <= start:
            break
        end = next_boundary(letters, draw(st.integers(start + 1, min(line, start + 8))))
        kind = draw(st.sampled_from(["replace", "before", "after", "style"]))
        new = draw(st.one_of(st.just(""), WHOLE)) if kind == "replace" else draw(WHOLE)
        edit = edit_of(text, start, end, kind, new)
        if edit is not None and "\ufffc" not in text[start:end]:
            found.append(Place(start, end, edit))
        at = end
    return found


def applied(text: str, done: list[Place]) -> str:
    """The text after all edits, made one after the other from the last one on."""
    for place in reversed(done):
        piece, edit = text[place.start : place.end], place.edit
        new = edit.replace if edit.replace is not None else f"{edit.before or ''}{piece}{edit.after or ''}"
        text = text[: place.start] + new + text[place.end :]
    return text


def body_of(document: Document) -> str:
    return document.tabs[0].body.flow.text


@settings(max_examples=40, deadline=None)
@given(BLOCKS, st.data())
def test_edits_in_any_order_are_the_same_as_one_by_one(blocks: list[Block], data: st.DataObject) -> None:
    paper = Paper()
    paper.write(blocks)
    document = paper.read()
    tab = document.tabs[0]
    done = data.draw(places(body_of(document)))
    edits = data.draw(st.permutations([place.edit for place in done]))
    paper.send(planned(document, edits, [(tab, tab.body)]).requests)
    assert body_of(paper.read()) == applied(body_of(document), done)
