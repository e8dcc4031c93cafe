"""For any text: an edit changes its span and nothing else, a diff leads from one text to the other."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from laconic.text import (
    Diff,
    NoMatch,
    NotReplaced,
    SeveralMatches,
    line_range,
    nearest_lines,
    replace_each,
    replace_once,
    unified_diff,
)
from laconic.text.editing.comparing.folding import Folded, fold
from laconic.text.editing.comparing.sequences import compare

# Few different parts, so that strings occur again, overlap, and differ in white space only.
PARTS = [
    "a", "b", "A", " ", " ", "\t", "\n", "\n", "\r\n", "\r", "aa", "ab", "\ufeff", "\x00", "\ud800", "\u00e9",
    "e\u0301", "\u2028", "\u00a0", "\u200b", "“", '"', "İ", "ß", "\x1c", "\ufb01",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=30).map("".join) | st.text(max_size=20)
OLDS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("".join)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, str]:
    """A text and a string that may occur in it: a part of it, with other white space at the ends of lines."""
    text = draw(TEXTS)
    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    old = text[start:end]
    change = draw(st.sampled_from(["nothing", "LF", "CRLF", "stripped", "padded", "another"]))
    if change == "LF":
        old = old.replace("\r\n", "\n")
    elif change == "CRLF":
        old = re.sub(r"(?<!\r)\n", "\r\n", old)
    elif change == "stripped":
        old = "\n".join(line.rstrip() for line in old.split("\n"))
    elif change == "padded":
        old = old.replace("\n", " \n") + " "
    return text, old if change != "another" and old else draw(OLDS)


def starts_of(text: str, old: str) -> list[int]:
    return [index for index in range(len(text)) if text.startswith(old, index)]


def stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


@given(cases(), TEXTS)
def test_nothing_outside_the_span_changes(case: tuple[str, str], new: str) -> None:
    text, old = case
    try:
        done = replace_once(text, old, new)
    except NotReplaced:
        return
    (one,) = done.replacements

    assert done.text == text[: one.start] + one.new + text[one.end :]
    assert one.line == text[: one.start].count("\n") + 1
    assert stripped(one.new).replace("\r\n", "\n") == stripped(new).replace("\r\n", "\n")
    replaced = text[one.start : one.end]
    assert replaced == old if one.match == "exact" else stripped(replaced) == stripped(old)


@given(cases())
def test_an_exact_match_is_the_only_one(case: tuple[str, str]) -> None:
    text, old = case
    starts = starts_of(text, old)
    try:
        (one,) = replace_once(text, old, "").replacements
        assert len(starts) == (1 if one.match == "exact" else len(starts) if text[one.start] == "\r" else 0)
    except NotReplaced as refused:
        (problem,) = refused.problems
        if isinstance(problem, NoMatch):
            assert starts == []
        elif isinstance(problem, SeveralMatches) and starts:
            assert [text.find(old, place.start) for place in problem.places] == starts


@given(cases())
def test_places_are_where_they_say(case: tuple[str, str]) -> None:
    text, old = case
    try:
        replace_once(text, old, "")
    except NotReplaced as refused:
        for place in getattr(refused.problems[0], "places", []):
            line = line_range(text, place.line, place.line)
            assert line.start + place.column - 1 == place.start
            assert place.line <= place.last_line <= line.total
            assert place.context.split("\n")[place.line - place.context_line] == line.text


@given(cases())
def test_an_edit_can_be_undone(case: tuple[str, str]) -> None:
    text, old = case
    mark = "<\u2603>"
    try:
        done = replace_once(text, old, mark)
    except NotReplaced:
        return
    (one,) = done.replacements

    assert done.text.replace(mark, text[one.start : one.end]) == text


@given(TEXTS, st.lists(st.integers(0, 40), max_size=8), st.permutations(range(4)))
def test_edits_give_the_same_in_any_order(text: str, cuts: list[int], order: list[int]) -> None:
    places = sorted({min(cut, len(text)) for cut in cuts})
    edits = [(text[start:end], f"<{start}>") for start, end in pairwise(places)][:4]
    shuffled = [edits[number] for number in order if number < len(edits)]
    try:
        done = replace_each(text, edits)
    except NotReplaced as refused:
        try:
            raise AssertionError(f"{replace_each(text, shuffled)} in another order")
        except NotReplaced as again:
            assert len(again.problems) == len(refused.problems)
        return

    assert replace_each(text, shuffled).text == done.text
    assert len(done.replacements) == len(edits)


@given(TEXTS, TEXTS, st.integers(0, 4))
def test_a_diff_leads_from_one_text_to_the_other(before: str, after: str, context: int) -> None:
    found = unified_diff(before, after, context=context)

    assert applied(before, found) == after
    assert (found.text == "") == (before == after)


@given(TEXTS, TEXTS, st.integers(0, 6), st.integers(0, 3))
def test_a_diff_that_is_cut_has_true_headers_and_counts(
    before: str, after: str, most: int, context: int
) -> None:
    whole, found = unified_diff(before, after), unified_diff(before, after, most=most, context=context)

    assert (found.removed, found.added) == (whole.removed, whole.added)
    assert sum(line[0] != "\\" for hunk in found.hunks for line in hunk.lines) <= most
    for hunk in found.hunks:
        assert_shows(before, hunk.header.split()[1], [line for line in hunk.lines if line[0] in "- \\"], "-")
        assert_shows(after, hunk.header.split()[2], [line for line in hunk.lines if line[0] in "+ \\"], "+")


def assert_shows(text: str, numbers: str, lines: list[str], mark: str) -> None:
    """Compare the lines of one side of a hunk with the lines that its header names."""
    first, _, count = numbers[1:].partition(",")
    shown = [line[1:] for line in lines if line[0] in f"{mark} "]
    assert numbers[0] == mark
    assert len(shown) == int(count or 1)
    assert shown == text.split("\n")[int(first) - 1 : int(first) - 1 + len(shown)] or not shown


def applied(text: str, diff: Diff) -> str:
    """Apply a diff as a program would that knows only its lines."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    result: list[str] = []
    place = 0
    for hunk in diff.hunks:
        result += lines[place : hunk.start]
        place = hunk.start
        for number, line in enumerate(hunk.lines):
            ends = hunk.lines[number + 1 : number + 2] != ("\\ No newline at end of file",)
            if line[0] in " -":
                assert lines[place] == line[1:] + "\n" * ends
                place += 1
            if line[0] in " +":
                result.append(line[1:] + "\n" * ends)
    return "".join(result + lines[place:])


SEQUENCES = st.text("abcd", max_size=14)


@given(SEQUENCES, SEQUENCES)
def test_a_comparison_finds_all_that_is_in_common(before: str, after: str) -> None:
    found = compare(before, after)

    assert not found.rough
    assert sum(run.end - run.start for run in found.runs) == len(before) - common(before, after)


def common(before: str, after: str) -> int:
    """The length of the longest common subsequence, by the book."""
    row = [0] * (len(after) + 1)
    for letter in before:
        above, row = row, [0]
        for index, other in enumerate(after):
            row.append(above[index] + 1 if letter == other else max(above[index + 1], row[-1]))
    return row[-1]


@given(SEQUENCES, SEQUENCES, st.integers(0, 30))
def test_a_comparison_that_gives_up_is_still_true(before: str, after: str, steps: int) -> None:
    parts, place = [], 0
    for run in compare(before, after, steps).runs:
        parts += [before[place : run.start], after[run.new_start : run.new_end]]
        place = run.end

    assert "".join(parts) + before[place:] == after


@given(TEXTS, TEXTS)
def test_what_is_near_is_there(text: str, asked: str) -> None:
    for near in nearest_lines(text, asked):
        assert near.text == text[near.start : near.end]
        assert near.first == text[: near.start].count("\n") + 1
        assert 0 < near.likeness <= 1
        for one in near.differences:
            line = line_range(text, one.line)
            assert text.startswith(one.found, line.start + one.column - 1)


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_a_part_that_only_looks_different_is_found(text: str, one: int, other: int) -> None:
    start, end = sorted((one, other))
    asked = text[start:end].swapcase().replace(" ", "\t")
    if fold(asked) and fold(asked) in fold(text):
        near = nearest_lines(text, asked)[0]
        assert near.likeness == 1
        assert fold(asked) in fold(near.text)


@given(TEXTS)
def test_each_part_of_a_folded_text_comes_from_where_it_says(text: str) -> None:
    folded = Folded(text)

    assert folded.text == fold(text)
    for index, letter in enumerate(folded.text):
        start, end = folded.origin(index, index + 1)
        assert letter == " " or letter in fold(text[start:end])


@given(TEXTS, st.integers(1, 5))
def test_line_ranges_join_with_the_breaks_between_them(text: str, step: int) -> None:
    total = line_range(text).total
    parts = [line_range(text, first, first + step - 1) for first in range(1, total + 1, step)]

    assert total == text.count("\n") + 1
    assert all(text[one.end : other.start] in ("\n", "\r\n") for one, other in pairwise(parts))
    assert (parts[0].start, parts[-1].end) == (0, len(text))
    assert all(part.text.count("\n") == part.last - part.first for part in parts)
