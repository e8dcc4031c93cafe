"""Unified diffs: true line numbers, a bounded length, bounded work."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from laconic.text import Diff, unified_diff


def shown(before: str, after: str, context: int = 3) -> list[str]:
    return unified_diff(before, after, context=context).text.split("\n")


def test_equal_texts_have_an_empty_diff() -> None:
    assert unified_diff("a\nb\n", "a\nb\n") == Diff(0, 0, (), 0, rough=False)
    assert unified_diff("a", "a").text == ""


def test_a_changed_line_is_shown_between_its_neighbours() -> None:
    before = "".join(f"{number}\n" for number in range(1, 10))

    assert shown(before, before.replace("5", "five"), 2) == [
        "@@ -3,5 +3,5 @@", " 3", " 4", "-5", "+five", " 6", " 7",
    ]  # fmt: skip


def test_changes_far_from_each_other_are_hunks_of_their_own() -> None:
    before = "".join(f"{number}\n" for number in range(1, 20))
    after = before.replace("2\n3\n", "3\n", 1).replace("18\n", "18\n18b\n")

    found = unified_diff(before, after, context=1)

    assert [hunk.header for hunk in found.hunks] == ["@@ -1,3 +1,2 @@", "@@ -18,2 +17,3 @@"]
    assert (found.removed, found.added) == (1, 1)


def test_changes_whose_context_meets_are_one_hunk() -> None:
    before = "a\nb\nc\nd\ne\n"

    assert shown(before, "A\nb\nc\nD\ne\n", 1) == [
        "@@ -1,5 +1,5 @@",
        "-a",
        "+A",
        " b",
        " c",
        "-d",
        "+D",
        " e",
    ]


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("", "a\n", ["@@ -0,0 +1 @@", "+a"]),
        ("a\n", "", ["@@ -1 +0,0 @@", "-a"]),
        ("", "a\nb\n", ["@@ -0,0 +1,2 @@", "+a", "+b"]),
        ("a\nb\n", "a\nx\nb\n", ["@@ -1,2 +1,3 @@", " a", "+x", " b"]),
    ],
)
def test_the_side_that_has_no_lines_is_counted_as_diff_programs_count_it(
    before: str, after: str, lines: list[str]
) -> None:
    assert shown(before, after) == lines


def test_lines_added_without_context_name_the_line_before() -> None:
    assert shown("a\nb\n", "a\nx\nb\n", 0) == ["@@ -1,0 +2 @@", "+x"]


NO_BREAK = "\\ No newline at end of file"


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a", "a\n", ["@@ -1 +1 @@", "-a", NO_BREAK, "+a"]),
        ("a\n", "a", ["@@ -1 +1 @@", "-a", "+a", NO_BREAK]),
        ("a", "b", ["@@ -1 +1 @@", "-a", NO_BREAK, "+b", NO_BREAK]),
        ("a\nz", "b\nz", ["@@ -1,2 +1,2 @@", "-a", "+b", " z", NO_BREAK]),
    ],
)
def test_a_last_line_without_a_line_break_is_marked(before: str, after: str, lines: list[str]) -> None:
    assert shown(before, after) == lines


def test_another_kind_of_line_break_is_a_change() -> None:
    assert shown("a\r\nb\n", "a\nb\n") == ["@@ -1,2 +1,2 @@", "-a\r", "+a", " b"]


def test_a_long_diff_shows_the_beginning_of_both_sides_and_counts_the_rest() -> None:
    before = "".join(f"old {number}\n" for number in range(1000))
    after = "".join(f"new {number}\n" for number in range(500))

    found = unified_diff(before, after, most=6)

    assert found.text.split("\n") == [
        "@@ -1,3 +1,3 @@", "-old 0", "-old 1", "-old 2", "+new 0", "+new 1", "+new 2",
        "\\ Not shown: 997 lines removed, 497 lines added",
    ]  # fmt: skip
    assert (found.removed, found.added, found.removed_unseen, found.added_unseen) == (1000, 500, 997, 497)


def test_a_long_removal_leaves_its_space_to_no_one() -> None:
    before = "".join(f"{number}\n" for number in range(100))

    found = unified_diff(before, "0\n", most=5)

    assert found.text.split("\n") == [
        "@@ -1,5 +1 @@",
        " 0",
        "-1",
        "-2",
        "-3",
        "-4",
        "\\ Not shown: 95 lines removed",
    ]


def test_a_diff_that_just_fits_leaves_nothing_out() -> None:
    assert unified_diff("a\nb\n", "c\nd\n", most=4).text == "@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d"
    assert unified_diff("a\nb\n", "c\nd\n", most=3).text.endswith("\\ Not shown: 1 line added")


def test_a_hunk_without_space_is_counted() -> None:
    before = "".join(f"{number}\n" for number in range(50))
    after = before.replace("5\n", "five\n", 1).replace("40\n", "forty\n")

    found = unified_diff(before, after, most=8)

    assert [hunk.header for hunk in found.hunks] == ["@@ -3,7 +3,7 @@"]
    assert (found.removed_unseen, found.added_unseen) == (1, 1)


def test_context_leaves_space_for_the_change() -> None:
    before = "".join(f"{number}\n" for number in range(9))

    assert unified_diff(before, before.replace("5", "five"), most=3).text.split("\n") == [
        "@@ -5,2 +5,2 @@", " 4", "-5", "+five",
    ]  # fmt: skip


def test_a_hunk_that_is_cut_between_two_changes_counts_the_second() -> None:
    found = unified_diff("a\n1\n2\n3\n4\nb\n", "A\n1\n2\n3\n4\nB\n", most=5)

    assert found.text.split("\n") == [
        "@@ -1,4 +1,4 @@", "-a", "+A", " 1", " 2", " 3", "\\ Not shown: 1 line removed, 1 line added",
    ]  # fmt: skip


def test_a_long_line_is_shortened_and_said_to_be() -> None:
    found = unified_diff("x" * 1_000_000, "y\n", width=10)

    assert found.text.split("\n") == [
        "@@ -1 +1 @@", "-xxxxxxxxx…", NO_BREAK, "+y", "\\ Not shown: the rest of 1 long line",
    ]  # fmt: skip


def test_a_shortened_line_does_not_end_inside_a_character() -> None:
    assert unified_diff("e\u0301" * 20, "", width=10).text.split("\n")[1] == "-" + "e\u0301" * 4 + "…"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nc\nd\n"),
        ("a", "a\nb"),
        ("a\r\nb\r\n", "a\nb\r\n"),
        ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n3\n4\n5\n6\n7\n8\n9\nten"),
        ("\x00\n", "\u2028\x0c\n\n"),
    ],
)
@pytest.mark.parametrize("context", [1, 3])
def test_git_can_apply_a_diff(tmp_path: Path, before: str, after: str, context: int) -> None:
    file, patch = tmp_path / "x", tmp_path / "patch"
    file.write_bytes(before.encode())
    patch.write_bytes(f"--- a/x\n+++ b/x\n{unified_diff(before, after, context=context).text}\n".encode())

    subprocess.run(["git", "apply", "--whitespace=nowarn", "patch"], cwd=tmp_path, check=True)

    assert file.read_bytes() == after.encode()


SIZE = 500_000
LINES = [f"line {number} of a text\n" for number in range(SIZE // 24)]


def random_lines(seed: int) -> list[str]:
    return [f"{letter}\n" for letter in random.Random(seed).choices("ab", k=SIZE // 2)]


HEAVY: dict[str, Callable[[], tuple[list[str], list[str]]]] = {
    "nothing in common": lambda: (LINES, [f"other {line}" for line in LINES]),
    "the same lines in any order": lambda: (LINES, random.Random(1).sample(LINES, len(LINES))),
    "the same lines backwards": lambda: (LINES, LINES[::-1]),
    "two lines again and again, at random": lambda: (random_lines(2), random_lines(3)),
    "equal lines, some of them replaced": lambda: (
        ["x\n"] * 100_000,
        ["y\n", *["x\n"] * 50_000, "y\n", *["x\n"] * 60_000, "z\n"],
    ),
    "every second line": lambda: (LINES, [line if index % 2 else "}\n" for index, line in enumerate(LINES)]),
    "empty lines": lambda: (["\n"] * SIZE, ["a\n"] * (SIZE // 2)),
}


@pytest.mark.timeout(20)  # a comparison that is not bounded would take hours
@pytest.mark.parametrize("name", HEAVY)
def test_any_two_long_texts_are_compared_with_bounded_work(name: str) -> None:
    before, after = HEAVY[name]()

    found = unified_diff("".join(before), "".join(after))

    assert 0 < len(found.text) < 200 * 100
    assert found.added - found.removed == len(after) - len(before)
    assert found.removed <= len(before)


def test_a_comparison_that_gave_up_says_so() -> None:
    before, after = HEAVY["two lines again and again, at random"]()

    found = unified_diff("".join(before), "".join(after))

    assert found.rough
    assert found.text.endswith("lines that did not change are among those removed and added")


def test_moved_lines_are_found_although_there_are_many() -> None:
    found = unified_diff("".join(LINES), "".join(LINES[10_000:] + LINES[:10_000]))

    assert (found.removed, found.added, found.rough) == (10_000, 10_000, False)
