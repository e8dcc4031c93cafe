"""Replacing strings that occur once, and what is reported where they do not."""

from __future__ import annotations

from typing import Any

import pytest

from laconic.text import (
    EmptyOld,
    NoMatch,
    NotReplaced,
    Overlap,
    SeveralMatches,
    replace_each,
    replace_once,
)


def problem(text: str, old: str, new: str = "new") -> Any:
    """The one problem of a replacement that is refused."""
    with pytest.raises(NotReplaced) as refused:
        replace_once(text, old, new)
    (only,) = refused.value.problems
    return only


@pytest.mark.parametrize(
    ("text", "old", "new", "result", "match", "line"),
    [
        ("Hello world", "world", "universe", "Hello universe", "exact", 1),
        ("alpha  \nbeta\ngamma", "alpha\nbeta", "A", "A\ngamma", "whitespace_normalized", 1),
        ("alpha\r\nbeta\r\n", "alpha\nbeta", "A", "A\r\n", "whitespace_normalized", 1),
        ("keep\nremove me\nkeep2", "remove me\n", "", "keep\nkeep2", "exact", 2),
        ("a\nb  \nc", "b\nc", "d", "a\nd", "whitespace_normalized", 2),
        ("cat dog", "cat ", "X", "Xdog", "exact", 1),
    ],
)
def test_a_string_that_occurs_once_is_replaced(
    text: str, old: str, new: str, result: str, match: str, line: int
) -> None:
    done = replace_once(text, old, new)

    (one,) = done.replacements
    assert (done.text, one.match, one.line) == (result, match, line)
    assert text[: one.start] + one.new + text[one.end :] == result


def test_an_exact_match_counts_more_than_one_with_other_white_space() -> None:
    assert replace_once("a \nb\na\nb", "a\nb", "c").text == "a \nb\nc"


def test_the_same_string_again_changes_nothing() -> None:
    assert replace_once("a b c", "b", "b").text == "a b c"


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Hello World", "hello"),
        ("tab\there", "tab here"),
        ("a b", "a  b"),
        ("\tcode", "    code"),
        ("caf\u00e9", "cafe\u0301"),
        ("", "x"),
    ],
)
def test_case_tabs_blanks_and_accents_are_not_ignored(text: str, old: str) -> None:
    assert isinstance(problem(text, old), NoMatch)


@pytest.mark.parametrize("old", ["\t", " ", "   \n", "\n \n", "\r", "\u00a0"])
def test_white_space_that_does_not_occur_matches_nothing(old: str) -> None:
    assert isinstance(problem("hello\nworld", old), NoMatch)


@pytest.mark.parametrize(
    ("text", "old"), [("category dog", "cat "), ("cat\n    dog", "cat\n  \n"), ("if x:\n    y", "if x:\n\t")]
)
def test_white_space_at_the_end_does_not_match_inside_a_line(text: str, old: str) -> None:
    assert isinstance(problem(text, old), NoMatch)


def test_white_space_at_the_end_matches_all_of_it_at_the_end_of_a_line() -> None:
    assert replace_once("a cat\t \t\r\ndog", "cat ", "cow ").text == "a cow \r\ndog"
    assert replace_once("a cat", "cat ", "cow").text == "a cow"


def test_white_space_that_was_not_asked_for_stays() -> None:
    assert replace_once("a  \nb  \nc", "a\nb", "x").text == "x  \nc"
    assert replace_once("a  \nb  \r\nc", "a\nb\n", "x\n").text == "x\nc"
    assert replace_once("a  \r\nb \r\nc", "\nb\nc", "\nx").text == "a  \r\nx"


def test_overlapping_matches_are_several() -> None:
    found = problem("aaa", "aa")

    assert [(place.line, place.column) for place in found.places] == [(1, 1), (1, 2)]


def test_every_match_has_its_place_and_its_context() -> None:
    found = problem("a\nb\nfoo\nc\nd\n  foo\ne", "foo")

    assert isinstance(found, SeveralMatches)
    assert (found.edit, found.old, len(found.places), found.places.complete) == (1, "foo", 2, True)
    first, second = found.places
    assert (first.line, first.column, first.context_line, first.context) == (3, 1, 1, "a\nb\nfoo\nc\nd")
    assert (second.line, second.column, second.context_line, second.context) == (6, 3, 4, "c\nd\n  foo\ne")


def test_the_context_of_a_match_of_several_lines_is_around_all_of_it() -> None:
    text = "1\n2\n3\nx\ny\n4\n5\n6\nx\ny\n"

    place = problem(text, "x\ny").places[0]

    assert (place.line, place.last_line, place.context) == (4, 5, "2\n3\nx\ny\n4\n5")


def test_the_context_of_a_match_of_many_lines_is_its_beginning() -> None:
    block = "".join(f"{number}\n" for number in range(1000))

    place = problem(block + block, block).places[0]

    assert (place.context.count("\n"), place.last_line) == (8, 1000)


def test_the_context_of_a_match_in_a_long_line_is_cut() -> None:
    place = problem("x" * 5_000 + "foo" + "y" * 5_000 + "foo", "foo").places[0]

    assert place.column == 5_001
    assert place.context == f"…{'x' * 200}foo{'y' * 200}…"


def test_long_lines_next_to_a_match_are_cut_at_their_end() -> None:
    line = "".join(map(str, range(1_000)))

    place = problem(f"{line}\nfoo\n{line}\nfoo", "foo").places[0]

    assert place.context == f"{line[:200]}…\nfoo\n{line[:200]}…\nfoo"


def test_matches_with_other_white_space_are_several_too() -> None:
    found = problem("alpha \nbeta\nalpha  \nbeta", "alpha\nbeta")

    assert [place.line for place in found.places] == [1, 3]


def test_places_are_read_in_pages() -> None:
    places = problem("same line\n" * 100_000, "same line").places

    assert len(places) == 100_000
    assert [place.line for place in places[50_000:50_003]] == [50_001, 50_002, 50_003]
    assert places[-1].line == 100_000


def test_more_matches_than_can_be_listed_are_said_to_be_more() -> None:
    places = problem("x" * 1_000_000, "x" * 500_000).places

    assert not places.complete
    assert not places[:20].complete
    assert len(places) > 100


def test_each_place_offers_lines_that_occur_once() -> None:
    text = "def a():\n    return 1\n\ndef b():\n    return 1\n"
    places = problem(text, "return 1").places

    assert places.unique(0) == "def a():\n    return 1\n"
    assert places.unique(1) == "def b():\n    return 1\n"
    for number in range(2):
        assert replace_once(text, places.unique(number) or "", "").text != text


def test_no_lines_are_offered_where_all_are_the_same() -> None:
    assert problem("same line\n" * 100, "same").places.unique(50) is None


def test_an_empty_string_cannot_be_replaced() -> None:
    assert problem("text", "") == EmptyOld(1)
    assert problem("", "") == EmptyOld(1)


def test_a_string_that_does_not_occur_is_answered_with_what_is_there() -> None:
    (near,) = problem("one\nHello World\ntwo", "hello World").nearest()

    assert (near.first, near.text) == (2, "Hello World")
    assert [(one.reason, one.asked, one.found) for one in near.differences] == [("case", "hello", "Hello")]


@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("a\r\nfoo\r\nb", "foo", "1\n2", "a\r\n1\r\n2\r\nb"),  # as in the rest of the text
        ("a\r\nfoo\r\nb\r\n", "a\nfoo", "1\n2", "1\r\n2\r\nb\r\n"),
        ("a\nfoo\nb", "a\r\nfoo", "1\r\n2", "1\n2\nb"),
        ("a\r\nfoo", "foo", "1\n2", "a\r\n1\r\n2"),
        ("foo", "foo", "1\n2", "1\n2"),
        ("a\nfoo\nb", "foo", "1\n2", "a\n1\n2\nb"),
        ("a\r\nb", "a\r\nb", "a\nb", "a\nb"),  # on purpose
        ("a\nb", "a\nb", "a\r\nb", "a\r\nb"),
        ("a\r\nfoo\r\nb", "foo", "1\r\n2\n3", "a\r\n1\r\n2\n3\r\nb"),
    ],
)
def test_new_line_breaks_are_like_those_around_unless_others_are_asked_for(
    text: str, old: str, new: str, result: str
) -> None:
    assert replace_once(text, old, new).text == result


@pytest.mark.parametrize(
    ("old", "new", "result"), [("\nb", "\nc", "a\r\nc\r\n"), ("\nb", "", "a\r\n"), ("\nb\n", "\n", "a\r\n")]
)
def test_a_line_break_of_two_characters_is_replaced_whole(old: str, new: str, result: str) -> None:
    assert replace_once("a\r\nb\r\n", old, new).text == result


def test_several_strings_are_replaced_at_once() -> None:
    done = replace_each("one two\nthree", [("three", "3"), ("one", "1")])

    assert done.text == "1 two\n3"
    assert [(one.line, one.new) for one in done.replacements] == [(2, "3"), (1, "1")]


def test_no_edit_sees_what_another_wrote() -> None:
    assert replace_each("a b", [("a", "b"), ("b", "a")]).text == "b a"
    with pytest.raises(NotReplaced) as refused:
        replace_each("a", [("a", "b"), ("b", "c")])
    assert [type(one) for one in refused.value.problems] == [NoMatch]


def test_edits_may_touch() -> None:
    assert replace_each("abcd", [("cd", "34"), ("ab", "12")]).text == "1234"


def test_no_edits_change_nothing() -> None:
    assert replace_each("text", []).text == "text"


def test_every_edit_that_cannot_be_made_is_reported_and_none_is_made() -> None:
    with pytest.raises(NotReplaced) as refused:
        replace_each("one two two", [("one", "1"), ("three", "3"), ("two", "2"), ("", "x")])

    found = refused.value.problems
    assert [(type(one), one.edit) for one in found] == [(NoMatch, 2), (SeveralMatches, 3), (EmptyOld, 4)]
    assert str(refused.value).startswith("edit 2: the string to replace does not occur; edit 3: ")


@pytest.mark.parametrize(
    ("edits", "overlaps"),
    [
        (["bcd", "abc"], [Overlap(1, 2, 1)]),
        (["abc", "abc"], [Overlap(2, 1, 1)]),
        (["b", "abcdef", "d"], [Overlap(1, 2, 1), Overlap(3, 2, 1)]),
    ],
)
def test_edits_of_the_same_characters_are_refused(edits: list[str], overlaps: list[Overlap]) -> None:
    with pytest.raises(NotReplaced) as refused:
        replace_each("abcdef", [(old, "x") for old in edits])

    assert list(refused.value.problems) == overlaps
