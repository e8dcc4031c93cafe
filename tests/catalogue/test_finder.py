"""Tools are found in plain words, over the 138 tools of Google with their phrases."""

import tomllib
from functools import cache

import pytest

from laconic.kit import Settings
from laconic.kit.longlist.finder import Finder
from laconic.kit.testing import connect
from tests.catalogue.google import HERE, QUESTIONS, TOOLS, Question, google

FINDER = Finder(TOOLS)
SETS = {
    "development half": [one for one in QUESTIONS if one.is_for_development],
    "other half": [one for one in QUESTIONS if one.set == "first" and not one.is_for_development],
    "second set": [one for one in QUESTIONS if one.set == "second"],
}
FLOORS = tomllib.loads((HERE / "floors.toml").read_text(encoding="utf-8"))["google questions"]


@cache  # several figures are about the same question
def found(question: str) -> list[str]:
    return [one.name for one in FINDER.find(question, 5)]


def hits(questions: list[Question], at: int) -> int:
    return sum(not set(one.answers).isdisjoint(found(one.question)[:at]) for one in questions)


def test_fewer_tools_are_the_first_of_more() -> None:
    for one in QUESTIONS[::40]:
        assert [tool.name for tool in FINDER.find(one.question, 1)] == found(one.question)[:1]


@pytest.mark.parametrize("name", SETS)
def test_no_question_about_google_is_lost_that_was_answered(name: str) -> None:
    at_1, at_5 = FLOORS[name]
    assert hits(SETS[name], 1) >= at_1
    assert hits(SETS[name], 5) >= at_5


def test_the_docs_say_what_is_measured() -> None:
    page = (HERE.parents[1] / "docs" / "long-lists.md").read_text(encoding="utf-8")
    for name, questions in SETS.items():
        figures = [f"{hits(questions, at) / len(questions):.0%}".replace("%", " %") for at in (1, 5)]
        assert f"| {name} | {len(questions)} | {' | '.join(figures)} |" in page


def test_every_answer_is_the_name_of_a_tool() -> None:
    named = {name for one in QUESTIONS for name in one.answers}
    assert named <= {tool.name for tool in TOOLS}
    assert all(one.answers for one in QUESTIONS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("drive_copyFile", "drive_copyFile"),
        ("docs.createFooter", "docs_createFooter"),
        ("merging cells of spreadsheets", "sheets_mergeCells"),
        ("who can see this", "drive_listPermissions"),
    ],
)
def test_names_forms_of_words_and_phrases_find_the_tool_first(question: str, answer: str) -> None:
    assert FINDER.find(question, 1)[0].name == answer


@pytest.mark.parametrize("question", ["", "?!", "xyzzy", "的", "a" * 100_000])
def test_what_is_not_understood_finds_nothing(question: str) -> None:
    assert FINDER.find(question, 5) == []


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
