"""A text is found as it is written, with its line, also where letters are longer without their case."""

import pytest

from laconic.text import find_literal


def lines(text: str, wanted: str, **more: bool) -> list[int]:
    return [hit.line for hit in find_literal(text, wanted, **more)]


def test_case_counts_only_if_it_is_asked_for() -> None:
    assert lines("one\nTwo\ntwo", "TWO") == [2, 3]
    assert lines("one\nTwo\ntwo", "two", case_sensitive=True) == [3]


def test_lines_are_right_after_letters_that_are_longer_without_their_case() -> None:
    assert lines("\u0130\u0130\u0130\u0130\nneedle", "NEEDLE") == [2]
    assert lines("Stra\u00dfe\nstrasse", "STRASSE") == [1, 2]


def test_the_context_covers_a_hit_of_several_lines() -> None:
    hits = find_literal("1\n2\n3\n4\n5\n6", "3\n4", context=1)

    assert [(hit.line, hit.context) for hit in hits] == [(3, "2\n3\n4\n5")]


@pytest.mark.parametrize(("text", "wanted"), [("", "a"), ("a", ""), ("", "")])
def test_nothing_is_found_in_nothing(text: str, wanted: str) -> None:
    assert find_literal(text, wanted) == []


def test_hits_do_not_overlap() -> None:
    assert lines("aaa\naa", "aa") == [1, 2]
