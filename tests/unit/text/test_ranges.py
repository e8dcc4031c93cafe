"""Reading lines by number, as someone counts them who edits the text."""

from __future__ import annotations

import pytest

from laconic.text import LineNumbers, LineRange, NoLines, line_range


def test_both_ends_are_included_and_the_last_line_break_is_not() -> None:
    assert line_range("one\ntwo\nthree\nfour", 2, 3) == LineRange(2, 3, 4, 4, 13, "two\nthree")


def test_without_numbers_everything_is_read() -> None:
    found = line_range("one\ntwo\n")

    assert (found.first, found.last, found.total, found.text) == (1, 3, 3, "one\ntwo\n")


@pytest.mark.parametrize(
    ("text", "total"), [("", 1), ("a", 1), ("a\n", 2), ("\n\n", 3), ("a\rb", 1), ("a\r\nb", 2)]
)
def test_a_final_line_break_is_followed_by_an_empty_line(text: str, total: int) -> None:
    assert line_range(text).total == LineNumbers(text).total == total


def test_an_end_beyond_the_text_is_its_end() -> None:
    assert line_range("a\nb", 2, 99) == LineRange(2, 2, 2, 2, 3, "b")


def test_one_number_is_enough() -> None:
    assert line_range("a\nb\nc", 2).text == "b\nc"
    assert line_range("a\nb\nc", last=2).text == "a\nb"


def test_a_line_break_of_two_characters_is_left_out_whole() -> None:
    assert line_range("a\r\nb\r\nc", 1, 2).text == "a\r\nb"
    assert line_range("a\r\n\r\n", 2, 2).text == ""
    assert line_range("a\r", 1, 1).text == "a\r"


@pytest.mark.parametrize(
    ("first", "last", "problem"),
    [
        (0, 1, "below 1"),
        (1, 0, "below 1"),
        (-3, None, "below 1"),
        (None, -1, "below 1"),
        (2, 1, "reversed"),
        (9, 8, "reversed"),
        (4, None, "beyond the end"),
        (4, 9, "beyond the end"),
    ],
)
def test_a_range_without_lines_is_refused_with_its_reason(
    first: int | None, last: int | None, problem: str
) -> None:
    with pytest.raises(NoLines) as refused:
        line_range("a\nb\nc", first, last)

    assert (refused.value.problem, refused.value.total) == (problem, 3)


def test_a_refused_range_carries_its_numbers() -> None:
    with pytest.raises(NoLines, match=r"no lines 7 to 9 in a text of 2: beyond the end") as refused:
        line_range("a\nb", 7, 9)

    assert (refused.value.first, refused.value.last) == (7, 9)


def test_an_index_is_in_the_line_that_it_ends() -> None:
    lines = LineNumbers("ab\ncd\n")

    assert [lines.at(index) for index in range(7)] == [1, 1, 1, 2, 2, 2, 3]
    assert [lines.column(index) for index in range(7)] == [1, 2, 3, 1, 2, 3, 1]
