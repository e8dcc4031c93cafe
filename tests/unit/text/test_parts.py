"""The beginning of a text, and its pieces."""

import json
from typing import Any

import pytest

from laconic.text import beginning, by_characters, by_items, pieces

ROW = {"id": 1, "title": "one", "tags": ["a", "b"]}


def test_a_text_within_the_budget_is_its_own_beginning() -> None:
    found = beginning("# a\n", 4)

    assert (found.text, found.more) == ("# a\n", 0)


def test_the_beginning_of_an_array_is_an_array() -> None:
    text = json.dumps([ROW] * 100)

    found = beginning(text, 200)

    assert json.loads(found.text) == [ROW] * 4
    assert (found.unit, found.first, found.last, found.total) == ("items", 1, 4, 100)
    assert json.loads(by_items(text, found.last + 1, 100).text) == [ROW] * 96


def test_the_rest_of_the_structure_stays() -> None:
    text = json.dumps({"total": 100, "rows": [ROW] * 100, "next": {"cursor": "x"}}, indent=2)

    found = beginning(text, 300)

    assert json.loads(found.text) == {"total": 100, "rows": [ROW] * found.last, "next": {"cursor": "x"}}
    assert 0 < found.last < 100
    assert len(found.text) <= 300


# what it is, the value, the budget, and what is left of the value
SHORTENED: list[tuple[str, Any, int, Any]] = [
    ("a list deep inside", {"data": {"rows": [1] * 99, "n": 2}}, 40, {"data": {"rows": [1] * 4, "n": 2}}),
    ("a first item too long", [{"id": 1, "body": "x" * 99, "n": [2]}], 40, [{"id": 1, "n": [2]}]),
    ("a string too long", {"a": 1, "body": "x" * 99, "b": 2}, 40, {"a": 1, "b": 2}),
    ("the first string too long", {"body": "x" * 99, "b": 2}, 40, {"b": 2}),
    ("nothing but a string", {"body": "x" * 99}, 40, {}),
    ("many members", {f"k{n}": n for n in range(9)}, 40, {"k0": 0, "k1": 1, "k2": 2, "k3": 3}),
    ("large members", {"a": [1] * 20, "b": [2] * 20, "c": [3] * 20}, 40, {"a": [1] * 11}),
    ("no room but for brackets", [[ROW]], 3, []),
    ("deeper than anyone looks", [[[[[[[[[[[[[["x" * 50]]]]]]]]]]]]]], 60, [[[[[[[[]]]]]]]]),
]


@pytest.mark.parametrize(
    ("value", "budget", "left"), [c[1:] for c in SHORTENED], ids=[c[0] for c in SHORTENED]
)
def test_json_is_shortened_to_json(value: Any, budget: int, left: Any) -> None:
    found = beginning(json.dumps(value), budget)

    assert json.loads(found.text) == left
    assert len(found.text) <= budget


def test_the_beginning_of_a_table_is_whole_rows() -> None:
    text = "id\tname\n" + "".join(f"{n}\tname {n}\n" for n in range(100))

    found = beginning(text, 100)

    assert found.text == text[: found.end]
    assert found.text.endswith("\n")
    assert (found.unit, found.first, found.last, found.total) == ("items", 1, 10, 100)


def test_a_head_beyond_the_budget_leaves_nothing() -> None:
    assert beginning("a" * 50 + "\tb\n1\t2\n", 20).text == ""


HEAD = "# A\n\n| a | b |\n|---|---|\n"
PARAGRAPH = "One sentence here. Another sentence there, which is longer. "
# what it is, the text, the budget, and where it ends
ENDS = [
    ("section", "# A\n\ntext\n\n# B\n\ntext that goes on", 26, "# A\n\ntext\n\n"),
    ("block", "# A\n\nfirst block\n\nsecond block goes on", 30, "# A\n\nfirst block\n\n"),
    ("row", f"{HEAD}| 1 | 2 |\n| 3 | 4 |\n", 40, f"{HEAD}| 1 | 2 |\n"),
    ("row, never its half", f"{HEAD}| {'x' * 90} |\n", 60, HEAD),
    ("before a fence", "# A\n\nsome more text\n\n```\ncode\ncode\n```\n", 36, "# A\n\nsome more text\n\n"),
    ("right before a fence", "# A\n\nsome more text\n```\ncode\ncode\n```\n", 32, "# A\n\nsome more text\n"),
    ("line", "# A\nfirst line\nsecond line\nthird line\n", 30, "# A\nfirst line\nsecond line\n"),
    ("paragraph", "first\n\nsecond\n\nthird and more", 20, "first\n\nsecond\n\n"),
    ("sentence", PARAGRAPH, 30, "One sentence here. "),
    ("word", "word " * 20, 33, "word " * 6),
    ("grapheme", "👨\u200d👩\u200d👧" * 9, 12, "👨\u200d👩\u200d👧" * 2),
    ("ideographs", "春眠不覺曉。處處聞啼鳥。夜來風雨聲。", 15, "春眠不覺曉。處處聞啼鳥。"),
    ("before a link", "# A\n\nsee the [long name of it](http://example.org/x) here", 40, "# A\n\nsee the "),
    ("before an address", "read http://example.org/a/very/long/path?and=more", 20, "read "),
    ("before code", "run `git commit --amend --no-edit` now", 20, "run "),
    ("before a link over two lines", "word word [a\nlink](http://a.b/c) word", 20, "word word "),
    ("before an image in a link", "see [![alt text](http://a.b/c)](http://d.e/f) now", 30, "see "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "budget", "end"), [case[1:] for case in ENDS], ids=[case[0] for case in ENDS]
)
def test_the_beginning_ends_at_a(text: str, budget: int, end: str) -> None:
    found = beginning(text, budget)

    assert found.text == end
    assert found.end == len(end)
    assert by_characters(text, found.end, len(text)).text == text[len(end) :]


def test_a_fence_that_cannot_fit_is_closed() -> None:
    text = "# A\n\n  ~~~~ py\n" + "  x = 1\n" * 50 + "  ~~~~\n"

    found = beginning(text, 100)

    assert found.text == text[: found.end] + "~~~~\n"
    assert text[found.end - 1] == "\n"
    assert 50 < len(found.text) <= 100


def test_a_row_beyond_the_budget_leaves_nothing() -> None:
    assert beginning(f"| {'x' * 90} |\n|---|\nand words\n", 50).text == ""


@pytest.mark.parametrize("text", ["[1, 2, 3]", "a\tb\n1\t2\n", "# a\n\nb", "word word"])
@pytest.mark.parametrize("budget", [-1, 0, 1])
def test_no_budget_no_beginning(text: str, budget: int) -> None:
    assert len(beginning(text, budget).text) <= max(0, budget)


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("", 5, []),
        ("abc", 5, ["abc"]),
        ("ab cd ef", 4, ["ab ", "cd ", "ef"]),
        ('["abcdefgh", 12, true]', 6, ["[", '"abcdefgh"', ", 12, ", "true]"]),
        ('[\n "a",\n "b"\n]', 8, ['[\n "a",\n', ' "b"\n]']),
        ("a\tb\n1\t2\nlong row\tx\n3\t4\n", 8, ["a\tb\n1\t2\n", "long row\tx\n", "3\t4\n"]),
        ("# A\n\n```\na long fenced line\nb\n```", 10, ["# A\n\n```\n", "a long fenced line\n", "b\n```"]),
        ("👨\u200d👩\u200d👧👨\u200d👩\u200d👧", 2, ["👨\u200d👩\u200d👧"] * 2),
        ("e\u0301e\u0301e\u0301", 3, ["e\u0301"] * 3),
        ("[a\nlink](http://a.b)\n" * 2, 4, ["[a\n", "link", "](ht", "tp:/", "/a.b", ")\n"] * 2),
        ("x" * 7, 3, ["xxx", "xxx", "x"]),
        ("a\r\nb\r\n", 2, ["a", "\r\n", "b", "\r\n"]),
    ],
)  # fmt: skip
def test_pieces_join_and_are_cut_with_care(text: str, size: int, expected: list[str]) -> None:
    assert [piece.text for piece in pieces(text, size)] == expected


def test_broken_json_is_cut_all_the_same() -> None:
    text = '{"a": "never closed, ' * 9

    assert "".join(piece.text for piece in pieces(text, 10, "json")) == text
