"""Rules between arguments that belong together."""

import pytest

from laconic.kit import together


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, None),
        ({"a": 1, "b": None}, None),
        ({"a": 1}, "Missing b: a needs it."),
        ({"b": "", "c": 1}, "Missing a: b needs it."),
    ],
)
def test_all_or_none_are_given(given: dict[str, object], said: str | None) -> None:
    problem = together("a", "b")(given)

    assert (problem and problem.message) == said
