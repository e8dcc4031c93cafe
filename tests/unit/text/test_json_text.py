"""Items and outline of JSON, and the scanner they use."""

import json
from typing import Any

import pytest

from laconic.text.formats.json_scan import Scan, character_at, members, token_at, value_end
from laconic.text.formats.json_text import items, outline

ROWS: list[Any] = [{"id": 1, "t": 'a "b" \\ ] } {'}, [], "x,]\\", -1.5e3, None, {"é": {"]": ["}"]}}]
LISTS = {
    "the array itself": ROWS,
    "in an object": {"total": 6, "rows": ROWS},
    "two levels down": {"data": {"page": {"rows": ROWS, "n": 1}}, "ok": True},
    "beside a small one": {"tags": ["a"], "rows": ROWS * 3},
    "beside a large object": {"meta": {"long": "x" * 900}, "rows": ROWS},
}


@pytest.mark.parametrize("value", LISTS.values(), ids=LISTS.keys())
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_items_of_the_one_list_are_found(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    spans = items(text)

    assert [json.loads(text[start:end]) for start, end in spans] in (ROWS, ROWS * 3)
    assert json.loads(f"[{text[spans[1][0] : spans[4][1]]}]") == ROWS[1:5]


@pytest.mark.parametrize("value", [{}, [], {"a": 1}, {"a": [1], "b": [2]}, {"a": {"b": "c"}}, 5, "[1]"])
def test_no_list_no_items(value: Any) -> None:
    assert items(json.dumps(value)) == []


@pytest.mark.parametrize("text", ["", "[", '["a', '{"a": [1, 2', "[1 2]", '{"a" 1}', "]", '{"a": "b\\'])
def test_broken_json_breaks_nothing(text: str) -> None:
    assert all(0 <= start <= end <= len(text) for start, end in items(text))
    assert outline(text)


OUTLINES = [
    ([], "empty array"),
    ({}, "object {}"),
    ([1, 2, 3], "3 numbers"),
    ([True, None, "a", "b"], "2 strings, 1 boolean, 1 null"),
    (
        [{"id": n, "title": "t", "tags": []} for n in range(1000)],
        "1,000 objects {id, title, tags}\n  id: number\n  title: string\n  tags: empty array",
    ),
    (
        {"total": 2, "rows": [{"a": 1}], "meta": {"next": None, "by": {"x": 1}}, "text": "y" * 5000},
        "total: number\nrows: 1 object {a}\nmeta: object of 2 keys\n  next: null\n  by: object {x}\n"
        "text: string of 5,000 characters",
    ),
    ({str(n): n for n in range(50)}, "\n".join(f"{n}: number" for n in range(40)) + "\n… 10 more keys"),
    (
        {"a": {str(n): n for n in range(10)} | {"k": [{}]}} | {str(n): {"x": 1, "y": 2} for n in range(20)},
        None,
    ),
    ([{chr(97 + n): n for n in range(10)}], None),
]


@pytest.mark.parametrize(("value", "expected"), OUTLINES, ids=[str(case[0])[:40] for case in OUTLINES])
def test_the_outline_says_keys_types_and_counts(value: Any, expected: str | None) -> None:
    said = outline(value)

    assert said == (expected or said)
    assert said == outline(json.dumps(value))
    assert len(said.splitlines()) <= 41


def test_many_keys_of_an_object_on_one_line_are_shortened() -> None:
    assert outline([{chr(97 + n): n for n in range(10)}]).startswith("1 object {a, b, c, d, e, f, g, h, …}")


def test_a_long_or_unprintable_key_stays_on_its_line() -> None:
    assert outline({"a\nb": 1, "k" * 100: 2}) == f'"a\\nb": number\n{"k" * 59}…: number'


@pytest.mark.parametrize(
    ("text", "index", "token"),
    [
        ('["a b", 12]', 3, (1, 6)),
        ('["a b", 12]', 1, (1, 1)),
        ('["a b", 12]', 6, (6, 6)),
        ('["a b", 12]', 9, (8, 10)),
        ('["a\\"b", true]', 5, (1, 7)),
        ('["a", true]', 8, (6, 10)),
        ('{\n "a": -1.5e+3\n}', 10, (8, 15)),
    ],
)
def test_the_token_at_an_index(text: str, index: int, token: tuple[int, int]) -> None:
    assert token_at(text, index) == token


def test_a_member_has_its_key_and_its_value() -> None:
    text = '{ "a" : [1, {"b": 2}] , "c":"d"}'

    assert [(text[slice(*m.key)], text[m.start : m.end]) for m in members(text, 0)] == [
        ('"a"', '[1, {"b": 2}]'),
        ('"c"', '"d"'),
    ]
    assert value_end(text, 0) == len(text)


def test_an_escape_is_one_character_and_a_pair_of_surrogates_too() -> None:
    text = r'"a\n\u00e9\ud83d\ude00b"'

    assert [character_at(text, 0, index) for index in range(2, len(text))] == (
        [2] * 2 + [4] * 6 + [10] * 12 + [22, 23]
    )


def test_a_list_is_scanned_only_once() -> None:
    scan = Scan('{"rows": [{"id": 1}, [2, [3]], "four", 5, {"six": {"seven": []}}]}')

    assert outline(scan) == outline(scan.text)
    assert items(scan) is scan.elements(9)
    assert [json.loads(scan.text[start:end]) for start, end in items(scan)] == json.loads(scan.text)["rows"]
