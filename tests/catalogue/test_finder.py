"""Tools are found in plain words: recall over 138 tools, on questions that were not used for tuning."""

from functools import cache
from types import SimpleNamespace

import pytest

from laconic.kit import Settings
from laconic.kit.longlist.finder import Finder
from laconic.kit.testing import connect
from tests.catalogue.google import HERE, QUESTIONS, TOOLS, Question, google

FINDER = Finder(TOOLS)
FIRST = [one for one in QUESTIONS if one.set == "first"]
SEEN = [one for one in FIRST if one.is_for_development]
UNSEEN = [one for one in FIRST if not one.is_for_development]
SECOND = [one for one in QUESTIONS if one.set == "second"]


@cache  # several figures are about the same question
def found(question: str) -> list[str]:
    return [one.name for one in FINDER.find(question, 5)]


def recall(questions: list[Question], at: int) -> float:
    hits = [not set(one.answers).isdisjoint(found(one.question)[:at]) for one in questions]
    return sum(hits) / len(hits)


def test_fewer_tools_are_the_first_of_more() -> None:
    for one in QUESTIONS[::40]:
        assert [tool.name for tool in FINDER.find(one.question, 1)] == found(one.question)[:1]


@pytest.mark.parametrize(
    ("questions", "at", "least"),
    [
        (SEEN, 1, 0.98),
        (SEEN, 5, 1.0),
        (UNSEEN, 1, 0.94),
        (UNSEEN, 5, 0.99),
        (SECOND, 1, 0.98),
        (SECOND, 5, 1.0),
    ],
    ids=["seen at 1", "seen at 5", "unseen at 1", "unseen at 5", "second set at 1", "second set at 5"],
)
def test_recall_does_not_fall(questions: list[Question], at: int, least: float) -> None:
    assert len(questions) > 100
    assert recall(questions, at) >= least


def test_the_docs_say_what_is_measured() -> None:
    page = (HERE.parents[1] / "docs" / "long-lists.md").read_text(encoding="utf-8")
    sets = {"development half": SEEN, "other half": UNSEEN, "both halves": FIRST}
    for later in {one.set for one in QUESTIONS} - {"first"}:
        sets[f"{later} set"] = [one for one in QUESTIONS if one.set == later]
    for name, questions in sets.items():
        figures = f"{recall(questions, 1):.1%} | {recall(questions, 5):.1%}".replace("%", " %")
        assert f"| {name} | {len(questions)} | {figures} |" in page


def test_every_answer_is_the_name_of_a_tool() -> None:
    named = {name for one in QUESTIONS for name in one.answers}
    assert named <= {tool.name for tool in TOOLS}
    assert all(one.answers for one in QUESTIONS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("duplicate a file", "drive_copyFile"),
        ("make a directory", "drive_createFile"),
        ("who can see this", "drive_listPermissions"),
        ("drive_copyFile", "drive_copyFile"),
        ("docs.createFooter", "docs_createFooter"),
        ("insert a footnoet", "docs_createFootnote"),
        ("change the colour of the tab", "sheets_updateSheetProperties"),
    ],
)
def test_everyday_words_names_and_misspelt_ones_find_the_tool_first(question: str, answer: str) -> None:
    assert FINDER.find(question, 1)[0].name == answer


@pytest.mark.parametrize("question", ["", "?!", "xyzzy", "的", "a" * 100_000])
def test_what_is_not_understood_finds_nothing(question: str) -> None:
    assert FINDER.find(question, 5) == []


def test_other_tools_are_found_as_well() -> None:
    names = {"issue_create": "Open an issue.", "issue_list": "List issues.", "whoami": "Say who is calling."}
    effects = {"issue_create": "create"}
    finder = Finder(
        SimpleNamespace(name=name, description=text, parameters=[], effect=effects.get(name, "read"))
        for name, text in names.items()
    )
    assert finder.find("report a bug", 1)[0].name == "issue_create"
    assert finder.find("which tickets are there", 1)[0].name == "issue_list"
    assert finder.find("who am I", 1)[0].name == "whoami"


def test_the_same_question_finds_the_same_whatever_was_asked_before() -> None:
    first = [(one.name, one.score) for one in FINDER.find("merge the cells of the table", 8)]
    FINDER.find("share it with bob@example.com", 8)
    again = Finder(list(TOOLS)).find("merge the cells of the table", 8)
    assert [(one.name, one.score) for one in again] == first


async def test_no_answer_of_the_finder_costs_more_than_300_tokens() -> None:
    async with connect(google(), settings=Settings(long_list=True)) as client:
        costs = {
            one.question: (await client.call("tools_find", query=one.question)).tokens for one in QUESTIONS
        }
    worst = max(costs, key=lambda question: costs[question])
    assert costs[worst] <= 300, worst
