"""The lines nearest to a text that does not occur, and what differs."""

from __future__ import annotations

import pytest

from laconic.text import nearest_lines


@pytest.mark.parametrize(
    ("text", "asked", "reason", "wanted", "found"),
    [
        ("Hello World", "hello World", "case", "hello", "Hello"),
        ("tab\there", "tab here", "tabs", " ", "\t"),
        ("\treturn y", "    return y", "tabs", "    ", "\t"),
        ("if x:\n\treturn y", "if x:\n    return y", "tabs", "    ", "\t"),
        ("if x:\n    return y", "if x:\n  return y", "indentation", "  ", "    "),
        ("one two", "one  two", "blanks", "  ", " "),
        ("one\u00a0two", "one two", "blanks", " ", "\u00a0"),
        ("one two\nthree", "one\ntwo\nthree", "line break", "\n", " "),
        ("say “yes”", 'say "yes”', "quotes", '"', "“"),
        ("it\u2019s", "it's", "quotes", "'", "\u2019"),
        ("2010\u20132020", "2010-2020", "dashes", "-", "\u2013"),
        ("caf\u00e9", "cafe\u0301", "accents", "cafe\u0301", "caf\u00e9"),
        ("wo\u200brd here", "word here", "invisible", "word", "wo\u200brd"),
        ("\ufb01ne day", "fine day", "look-alikes", "fine", "\ufb01ne"),
        ("the colour of it", "the color of it", "text", "color", "colour"),
    ],
)
def test_what_differs_is_named(text: str, asked: str, reason: str, wanted: str, found: str) -> None:
    (near,) = nearest_lines(f"before\n{text}\nafter", asked)

    assert near.text == text
    assert [(one.reason, one.asked, one.found) for one in near.differences] == [(reason, wanted, found)]


def test_white_space_at_the_end_of_a_line_is_named() -> None:
    (near,) = nearest_lines("one   \nTwo", "one\ntwo")

    assert [one.reason for one in near.differences] == ["trailing blanks", "case"]


def test_each_difference_has_its_place() -> None:
    (near,) = nearest_lines("zero\n  One two\n  THREE", "one two\n  three")

    assert (near.first, near.last, near.column) == (2, 3, 3)
    assert [(one.line, one.column) for one in near.differences] == [(2, 3), (3, 3)]


def test_what_differs_only_in_looks_is_as_near_as_can_be() -> None:
    text = "nearly the same words\nTHE SAME WORDS\n"

    assert [(near.first, near.likeness) for near in nearest_lines(text, "The same words")] == [
        (1, 1.0),
        (2, 1.0),
    ]


def test_the_best_window_of_lines_is_found() -> None:
    text = "".join(
        f"def part_{number}():\n    total = {number}\n    return total\n\n" for number in range(50)
    )

    near, *_ = nearest_lines(text, "def part_31():\n    sum = 31\n    return sum\n")

    assert (near.first, near.last) == (125, 127)
    assert near.likeness < 1
    assert [(one.asked, one.found) for one in near.differences][:2] == [("sum", "total"), ("sum", "total")]


def test_only_the_part_of_a_line_that_was_meant_is_given() -> None:
    (near,) = nearest_lines("we say hello world now", "hello wrld")

    assert (near.text, near.column) == ("hello world", 8)


def test_a_part_of_a_very_long_line_is_found() -> None:
    words = " ".join(f"word{number}" for number in range(100_000))

    (near,) = nearest_lines(words, "Word54321 word54322")
    assert (near.text, near.column) == ("word54321 word54322", words.index("word54321") + 1)

    near, *_ = nearest_lines(words, "word54321 wort54322 word54323")
    assert "word54321" in near.text
    assert len(near.text) < 1_000


def test_the_best_come_first_and_no_more_than_asked_for() -> None:
    text = "the quick brown cat\nsomething else\nthe quick brown dog\nthe quick red fox\n"

    found = nearest_lines(text, "the quick brown dig", most=2)

    assert [near.first for near in found] == [3, 1]
    assert found[0].likeness > found[1].likeness


def test_windows_do_not_overlap() -> None:
    found = nearest_lines("one more apple\n" * 6, "one more apples\none more apple")

    assert [(near.first, near.last) for near in found] == [(1, 2), (3, 4), (5, 6)]


def test_what_is_not_the_same_is_never_quite_as_near() -> None:
    (near,) = nearest_lines("a" * 20, "a" * 21)

    assert near.likeness == 0.99


@pytest.mark.parametrize("asked", ["", "   ", "\n", "zzz qqq", "\u200b"])
def test_nothing_is_near_to_what_is_like_nothing(asked: str) -> None:
    assert nearest_lines("one two three\nfour", asked) == []


def test_nothing_is_near_in_an_empty_text() -> None:
    assert nearest_lines("", "one") == []


def test_a_line_break_of_two_characters_is_named() -> None:
    (near,) = nearest_lines("One\r\ntwo\r\n", "one\ntwo\n")

    assert near.text == "One\r\ntwo\r\n"
    assert [one.reason for one in near.differences] == ["case", "line break", "line break"]


def test_case_that_changes_the_length_does_not_move_the_place() -> None:
    (near,) = nearest_lines("İİİ straße END", "STRASSE end")

    assert (near.text, near.column) == ("straße END", 5)


def test_no_more_than_twenty_differences_are_given() -> None:
    (near,) = nearest_lines("\n".join(["One"] * 100), "\n".join(["one"] * 100))

    assert len(near.differences) == 20
