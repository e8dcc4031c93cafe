"""The order of insertions that meet at one place."""

import time

import pytest

from laconic.kit import BadArguments
from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.reading.document import Document, Tab
from laconic.servers.google.docs.writing.planning import planned
from laconic.servers.google.docs.writing.plans import EditStep, arranged
from laconic.servers.google.models.docs import DocEdit
from tests.unit.google.docs.paper import Paper


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_what_follows_a_text_comes_before_what_precedes_the_next(order: tuple[int, ...]) -> None:
    edits = [
        DocEdit(find="left", after="1"),
        DocEdit(find="right", before="2"),
        DocEdit(find="right", replace="R"),
        DocEdit(find="left", replace="L"),
    ]
    paper = Paper()
    paper.write(parse_markdown("leftright"))
    document = paper.read()
    tab = document.tabs[0]
    paper.send(planned(document, [edits[at] for at in order], [(tab, tab.body)]).requests)
    assert paper.markdown() == "L12R"


TAB = Tab("t", "Tab", 0, {"body": {"content": []}})


def steps(*places: tuple[int, int], is_mark: bool = False) -> list[EditStep]:
    return [
        EditStep(number, TAB, TAB.body, start, end, [], "x", is_mark=is_mark)
        for number, (start, end) in enumerate(places, 1)
    ]


def test_ten_thousand_edits_are_arranged_in_a_moment() -> None:
    many = steps(*((number * 10, number * 10 + 5) for number in range(10_000)))
    began = time.process_time()
    plan = arranged(Document("d", "", "r", [TAB]), many)
    assert plan.steps == many[::-1] and time.process_time() - began < 3


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ([(0, 9), (2, 3), (4, 5), (9, 10)], ["Edits 1 and 2", "Edits 1 and 3"]),
        ([(9, 12), (0, 10), (5, 5)], ["Edits 1 and 2", "Edits 2 and 3"]),
        ([(5, 9), (5, 5), (9, 9)], []),
        ([(5, 9), (5, 9)], ["Edits 1 and 2"]),
    ],
)
def test_every_pair_of_edits_of_one_text_is_told(places: list[tuple[int, int]], told: list[str]) -> None:
    document = Document("d", "", "r", [TAB])
    arranged(document, steps(*places, is_mark=True))
    if not told:
        assert len(arranged(document, steps(*places)).steps) == len(places)
        return
    with pytest.raises(BadArguments) as refused:
        arranged(document, steps(*places))
    assert sorted(one.message[:13] for one in refused.value.problems) == told


@pytest.mark.parametrize(
    ("text", "find", "replace", "after"),
    [
        ("cafe\u0301s", "e\u0301", "a\u0301", "cafa\u0301s"),  # the accent is common to both
        ("cafe\u0301s", "e", "a", "cafa\u0301s"),
        ("cafe\u0301s", "fe", "", "ca\u0301s"),
        ("x \U0001f468\u200d\U0001f469 y", "\U0001f468", "\U0001f467", "x \U0001f467\u200d\U0001f469 y"),
        ("x \U0001f468\u200d\U0001f469 y", "\U0001f469", "\U0001f467", "x \U0001f468\u200d\U0001f467 y"),
        (
            "\U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd",
            "\U0001f3fd",
            "\U0001f3ff",
            "\U0001f1e9\U0001f1ea \U0001f44d\U0001f3ff",
        ),
    ],
)
def test_a_part_of_what_a_reader_sees_as_one_letter_is_replaced(
    text: str, find: str, replace: str, after: str
) -> None:
    paper = Paper()
    paper.write(parse_markdown(text))
    document = paper.read()
    tab = document.tabs[0]
    paper.send(planned(document, [DocEdit(find=find, replace=replace)], [(tab, tab.body)]).requests)
    assert paper.markdown() == after
