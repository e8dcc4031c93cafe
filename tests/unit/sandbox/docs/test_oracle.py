"""Random edits end the same in the practice Docs and in another simulator of Docs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.chance import examples
from tests.unit.sandbox.docs.oracle import Ours, Theirs, blocks, summary
from tests.unit.sandbox.docs.paper import BULLETS, bullets, cell, delete, insert, span, style, table

Step = tuple[str, int, int, Any]
TEXTS = st.text(st.sampled_from("ab \n🚢é"), min_size=1, max_size=8)
KINDS = ("text", "text", "delete", "table", "row", "column", "less", "bold", "heading", "bullets", "plain")
STEPS = st.tuples(st.sampled_from(KINDS), st.integers(0, 400), st.integers(1, 12), TEXTS)
PROGRAMS = st.lists(STEPS, min_size=1, max_size=14)


def request_of(step: Step, content: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A step as a request for the document as it is; None if it does not fit."""
    kind, where, size, text = step
    last = content[-1]["endIndex"]
    index = _whole(content, 1 + where % (last if size == 1 else last - 1))
    end = _whole(content, index + size if size % 6 == 0 else min(index + size, max(last - 1, index + 1)))
    tables = [one for one in content if "table" in one]
    match kind:
        case "text":
            return insert(index, text)
        case "delete":
            return delete(index, end)
        case "table" if not any(one["startIndex"] < index < one["endIndex"] for one in tables):
            return table(index, 1 + size % 3, 1 + size % 2)
        case "bold":
            return style(index, end, bold=True)
        case "heading":
            named = {"namedStyleType": f"HEADING_{1 + size % 6}"}
            given = {"range": span(index, end), "paragraphStyle": named, "fields": "namedStyleType"}
            return {"updateParagraphStyle": given}
        case "bullets":
            return bullets(index, end, BULLETS)
        case "plain":
            return {"deleteParagraphBullets": {"range": span(index, end)}}
    if not tables or kind == "table":
        return None
    one = tables[where % len(tables)]
    rows, columns = one["table"]["rows"], one["table"]["columns"]
    place = {"tableCellLocation": cell(one["startIndex"], where % rows, size % columns)}
    if kind == "row":
        return {"insertTableRow": {**place, "insertBelow": bool(size % 2)}}
    if kind == "column":
        return {"insertTableColumn": {**place, "insertRight": bool(size % 2)}}
    return {"deleteTableRow" if size % 3 else "deleteTableColumn": place}


def _whole(content: list[dict[str, Any]], index: int) -> int:
    """An index that is not inside of a surrogate pair."""
    for block in blocks(content):
        for run in block.get("paragraph", {}).get("elements", ()):
            if run["startIndex"] < index < run["endIndex"]:
                coded = run["textRun"]["content"].encode("utf-16-le")
                is_half = 0xDC <= coded[2 * (index - run["startIndex"]) + 1] <= 0xDF
                return index - int(is_half)
    return index


def agree(program: list[Step]) -> None:
    """Send a program to both, and compare after each step."""
    ours, theirs = Ours(), Theirs()
    for step in program:
        request = request_of(step, ours.read())
        if request is None:
            continue
        assert (ours.send(request), theirs.send(request)) in ((True, True), (False, False)), request
        assert summary(ours.read()) == summary(theirs.read()), request


@examples(150)
@given(PROGRAMS)
def test_random_edits_end_the_same_in_both(program: list[Step]) -> None:
    agree(program)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@examples(3000)
@given(st.lists(STEPS, min_size=10, max_size=40))
def test_long_random_edits_end_the_same_in_both(program: list[Step]) -> None:
    agree(program)
