"""Edits that want to break something: each is answered, in bounded time and space."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from laconic.text import (
    NotReplaced,
    SeveralMatches,
    line_range,
    nearest_lines,
    replace_each,
    replace_once,
    unified_diff,
)

LONG = "x" * 1_000_000
SAME = "same line\n" * 100_000


def outcome(text: str, old: str, new: str = "new") -> str:
    """Edit, look at all that is reported, and return in one word what happened."""
    try:
        done = replace_once(text, old, new)
    except NotReplaced as refused:
        (problem,) = refused.problems
        assert len(str(refused)) < 1_000
        if places := getattr(problem, "places", None):
            shown = [*places[:20], *places[-20:]]
            assert sum(len(place.context) for place in shown) < 100_000
            assert len(places.unique(0) or "") <= 1_000
        if nearest := getattr(problem, "nearest", None):
            assert all(near.text == text[near.start : near.end] for near in nearest())
        return type(problem).__name__
    assert unified_diff(text, done.text).text or done.text == text
    return done.replacements[0].match


TABLE: dict[str, tuple[str, str, str]] = {
    # what is done: text, old, what happens
    "nothing in nothing": ("", "", "EmptyOld"),
    "nothing in something": ("text", "", "EmptyOld"),
    "something in nothing": ("", "text", "NoMatch"),
    "the whole text": ("text\n", "text\n", "exact"),
    "more than the whole text": ("text", "text and more", "NoMatch"),
    "a final line break that is not there": ("text", "text\n", "NoMatch"),
    "one blank": ("text", " ", "NoMatch"),
    "a line break": ("a\nb", "\n", "exact"),
    "a line break in CRLF": ("a\r\nb", "\n", "whitespace_normalized"),
    "a lone CR": ("a\rb", "\r", "exact"),
    "NUL": ("a\x00b", "\x00", "exact"),
    "NUL that is not there": ("ab", "a\x00b", "NoMatch"),
    "half of a surrogate pair": ("a\ud83d\ude00b", "\ud83d", "exact"),
    "a lone surrogate that is not there": ("a\U0001f600b", "\ud83d", "NoMatch"),
    "a mark of order at the start": ("\ufefftitle", "title", "exact"),
    "a mark of order that is not there": ("title", "\ufefftitle", "NoMatch"),
    "a string over itself": ("aaa", "aa", "SeveralMatches"),
    "line breaks over themselves": ("a\n\n\nb", "\n\n", "SeveralMatches"),
    "one letter, a million times": (LONG, "x", "SeveralMatches"),
    "half a megabyte over itself": (LONG, "x" * 500_000, "SeveralMatches"),
    "half a megabyte that is nearly there": (LONG, "x" * 500_000 + "y", "NoMatch"),
    "a whole megabyte": (LONG, LONG, "exact"),
    "a megabyte in a short text": ("x", LONG, "NoMatch"),
    "a megabyte of blanks": (" " * 1_000_000, " x", "NoMatch"),
    "a megabyte of blanks before a line end": (
        "a" + " " * 1_000_000 + "\nb",
        "a\nb",
        "whitespace_normalized",
    ),
    "a megabyte of line breaks": ("\n" * 1_000_000, "\n" * 500 + "x", "NoMatch"),
    "equal lines": (SAME, "same line", "SeveralMatches"),
    "equal lines over themselves": (SAME, "same line\n" * 50_000, "SeveralMatches"),
    "equal lines, nearly": (SAME, "same lime", "NoMatch"),
    "many equal lines, nearly": (SAME, "same lime\n" * 1_000, "NoMatch"),
    "equal lines with other ends": (SAME, "same line \r\n" * 100_000, "whitespace_normalized"),
    "marks without a letter": ("e" + "\u0301" * 100_000, "\u0301x", "NoMatch"),
    "letters that fold to many": ("\ufdfa" * 50_000, "x\ufdfa", "NoMatch"),
    "every letter there is": ("".join(map(chr, range(0x30000))), "no such words", "NoMatch"),
    "a pattern": ("a.c", "a.*", "NoMatch"),
    "a group in the new string": ("a", "a", "exact"),
}


@pytest.mark.timeout(30)  # what is not bounded would take hours
@pytest.mark.parametrize("name", TABLE)
def test_a_hostile_edit_is_answered(name: str) -> None:
    text, old, expected = TABLE[name]

    assert outcome(text, old, "\\1\\g<0>") == expected


@pytest.mark.timeout(30)
def test_a_thousand_wrong_edits_are_answered_at_once() -> None:
    with pytest.raises(NotReplaced) as refused:
        replace_each(SAME, [(f"line {number}", "") for number in range(1_000)])

    assert len(refused.value.problems) == 1_000
    assert len(str(refused.value)) < 1_000


@pytest.mark.timeout(30)
def test_many_edits_of_what_is_everywhere_list_no_more_places_than_a_few_would() -> None:
    edits = [("x" * length, "") for length in range(1, 101)]
    with pytest.raises(NotReplaced) as refused:
        replace_each("x" * 500_000, edits)
    places = [one.places for one in refused.value.problems if isinstance(one, SeveralMatches)]
    assert len(places) == 100 and sum(map(len, places)) < 1_100_000
    assert places[0].complete and len(places[0]) == 500_000
    assert not places[-1].complete and len(places[-1]) == 2


def test_a_second_match_far_behind_is_seen_though_the_text_is_full_of_what_is_nearly_one() -> None:
    line = "x" * 1000
    with pytest.raises(NotReplaced) as refused:
        replace_once(f"{line}  \n{'x' * 200_000}  \nend", f"{line}\t", "")
    (problem,) = refused.value.problems
    assert isinstance(problem, SeveralMatches) and [place.line for place in problem.places] == [1, 2]


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "work",
    [
        lambda: nearest_lines("a b " * 250_000, "a c " * 2_500),
        lambda: nearest_lines("a b\n" * 250_000, "a c\n" * 2_500),
        lambda: nearest_lines("".join(f"{number}\n" for number in range(150_000)), "99 999\n" * 100),
        lambda: line_range("\n" * 1_000_000, 999_999),
    ],
)
def test_other_work_is_bounded_too(work: Callable[[], object]) -> None:
    work()


def test_what_is_written_is_taken_as_it_is() -> None:
    assert replace_once("a.c", ".", "\\1\\g<0>\x00\ud800").text == "a\\1\\g<0>\x00\ud800c"
