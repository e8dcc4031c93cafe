"""Random suggestions: rejected, they leave the document as it was; in the views, it is what it would be."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from laconic.sandbox.google.docs.draft import Draft
from laconic.sandbox.google.docs.operations import DOC_KINDS
from laconic.sandbox.google.papers.documents import new_tab
from laconic.sandbox.google.papers.showing import shown_content
from laconic.sandbox.google.papers.suggesting import resolved
from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.site.people import Person
from tests.chance import examples
from tests.unit.sandbox.docs.paper import lines
from tests.unit.sandbox.docs.test_oracle import STEPS, Step, request_of

Doc = dict[str, Any]
PEOPLE = (Person("a@b.example", ()), Person("c@b.example", ()))
PROGRAMS = st.lists(STEPS, max_size=8)


def blocks_of(doc: Doc) -> list[Doc]:
    found: list[Doc] = doc["tabs"][0]["segments"][""]["blocks"]
    return found


def looks(doc: Doc) -> str:
    """All of a body, apart from the ids of headings."""
    return re.sub('"headingId": "[^"]*"', "", json.dumps(shown_content(blocks_of(doc)), sort_keys=True))


def carry_out(doc: Doc, step: Step, person: Person, *, is_suggested: bool = False) -> Doc:
    """The document after a step; as it was if that is refused."""
    request = request_of(step, shown_content(blocks_of(doc)))
    if request is None:
        return doc
    [(kind, given_)] = request.items()
    draft = Draft(doc, person, "2026-01-01T00:00:00Z")
    try:
        if is_suggested:
            draft.suggest()
        DOC_KINDS[kind](draft, given_)
        if is_suggested:
            draft.end_suggestion()
    except GoogleRefusal:
        return doc
    return draft.doc


def written(program: list[Step]) -> Doc:
    doc: Doc = {"id": "d", "count": 0, "revision": 1, "tabs": [new_tab("t.0", "Tab 1")], "suggestions": []}
    for step in program:
        doc = carry_out(doc, step, PEOPLE[0])
    return doc


def suggested(doc: Doc, program: list[Step]) -> Doc:
    kinds = ("row", "column", "less")  # which cannot be suggested
    for place, step in enumerate(program):
        if step[0] not in kinds:
            doc = carry_out(doc, step, PEOPLE[place % 2], is_suggested=True)
    return doc


@examples(90)
@given(PROGRAMS, PROGRAMS)
def test_suggestions_that_are_rejected_leave_nothing(before: list[Step], program: list[Step]) -> None:
    doc = written(before)
    new = suggested(doc, program)
    assert lines(shown_content(resolved(blocks_of(new), lambda _: False))) == lines(
        shown_content(blocks_of(doc))
    )
    for one in list(new["suggestions"]):
        draft = Draft(new, PEOPLE[0], "2026-01-01T00:00:00Z")
        DOC_KINDS["rejectSuggestion"](draft, {"suggestionId": one["id"]})
        new = draft.doc
    assert looks(new) == looks(doc)


@examples(90)
@given(PROGRAMS, PROGRAMS)
def test_suggestions_that_are_accepted_become_the_view(before: list[Step], program: list[Step]) -> None:
    new = suggested(written(before), program)
    view = lines(shown_content(resolved(blocks_of(new), lambda _: True)))
    for one in list(new["suggestions"]):
        draft = Draft(new, PEOPLE[0], "2026-01-01T00:00:00Z")
        DOC_KINDS["acceptSuggestion"](draft, {"suggestionId": one["id"]})
        new = draft.doc
    assert lines(shown_content(blocks_of(new))) == view
