"""What checks accept and refuse, and what references find."""

from typing import Any

import pytest

from laconic.evals.checks import check, mistake_in
from laconic.evals.references import BadReference, value_at
from laconic.evals.suite import Case, CheckSpec

CASE = Case.model_validate(
    {"id": "one", "input": {"ask": "?"}, "expected": {"phrase": "two", "tags": ["b", "a"]}}
)
OUTPUT = {"answer": "One, two.", "calls": [{"tool": "add"}, {"tool": "read"}], "final": {"tags": ["a", "b"]}}


@pytest.mark.parametrize(
    ("type", "arguments", "passes"),
    [
        ("exact_match", {"actual": " One, two.\n", "expected": "$.output.answer"}, True),
        ("exact_match", {"actual": "$.output.answer", "expected": "one, two."}, False),
        (
            "exact_match",
            {"actual": "$.output.answer", "expected": "one, TWO.", "case_sensitive": False},
            True,
        ),
        ("contains", {"text": "$.output.answer", "phrases": "$.test_case.expected.phrase"}, True),
        ("contains", {"text": "$.output.answer", "phrases": ["One", "three"]}, False),
        ("contains", {"text": "$.output.answer", "phrases": "TWO"}, False),
        ("contains", {"text": "$.output.answer", "phrases": "TWO", "case_sensitive": False}, True),
        ("contains", {"text": "$.output.answer", "phrases": ["three", "four"], "negate": True}, True),
        ("contains", {"text": "$.output.answer", "phrases": ["three", "two"], "negate": True}, False),
        ("contains", {"text": "$.output.calls", "phrases": '"tool": "add"'}, True),
        ("equals", {"actual": "$.output.calls[*].tool", "expected": ["add", "read"]}, True),
        ("equals", {"actual": "$.output.calls[-1].tool", "expected": "add"}, False),
        ("equals", {"actual": "$.output.final.tags", "expected": "$.test_case.expected.tags"}, False),
        (
            "equals",
            {"actual": "$.output.final.tags", "expected": "$.test_case.expected.tags", "ordered": False},
            True,
        ),
        ("equals", {"actual": True, "expected": 1}, False),
        ("equals", {"actual": "$.output.final.gone", "expected": None}, False),
    ],
)
def test_a_check_passes_or_says_why_not(type: str, arguments: dict[str, Any], passes: bool) -> None:
    spec = CheckSpec.model_validate({"type": type, "arguments": arguments, "metadata": {"name": "the end"}})

    checked = check(spec, CASE, OUTPUT)

    assert checked is not None and checked.name == "the end"
    assert checked.passed is passes
    assert bool(checked.words) is not passes


def test_what_a_case_does_not_expect_is_not_checked() -> None:
    arguments = {"actual": "$.output.answer", "expected": "$.test_case.expected.title"}

    assert check(CheckSpec(type="equals", arguments=arguments), CASE, OUTPUT) is None


@pytest.mark.parametrize(
    "reference", ["$.answer.x", "$.calls[9].tool", "$.calls.tool", "$.calls[*].x", "$.a b"]
)
def test_a_reference_that_leads_nowhere_is_named(reference: str) -> None:
    with pytest.raises(BadReference, match=r"\$\."):
        value_at(reference, OUTPUT)


@pytest.mark.parametrize(
    ("type", "arguments", "words"),
    [
        ("contains", {"text": "x", "phrase": "x"}, "has no argument phrase. Arguments: text, phrases"),
        ("contains", {"text": "x"}, "needs the argument phrases."),
        ("equals", {"actual": "$.output.anwser", "expected": 1}, "$.output.anwser leads nowhere."),
        ("equals", {"actual": "$.outptu.answer", "expected": 1}, "$.outptu.answer leads nowhere."),
        (
            "equals",
            {"actual": 1, "expected": "$.test_case.expected.tagz"},
            "no case has $.test_case.expected",
        ),
        ("equals", {"actual": "$.output.answer", "expected": "$.test_case.expected.tags"}, ""),
    ],
)
def test_a_check_that_no_model_could_pass_or_fail_is_a_mistake(
    type: str, arguments: dict[str, Any], words: str
) -> None:
    spec = CheckSpec.model_validate({"type": type, "arguments": arguments})

    found = mistake_in(spec, [CASE])

    assert found.startswith(words) and bool(found) is bool(words)
