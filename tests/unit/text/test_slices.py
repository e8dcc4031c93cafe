"""Reading a text by characters, lines, sections and items."""

import json

import pytest

from laconic.text import NoItems, NoSection, by_characters, by_items, by_lines, by_section
from laconic.text.excerpts.cuts import WHOLE


def test_a_range_of_characters_is_moved_off_a_grapheme() -> None:
    text = "ab👨\u200d👩\u200d👧cd"

    assert by_characters(text, 0, 4).text == "ab"
    assert by_characters(text, 4, 99).text == "👨\u200d👩\u200d👧cd"


def test_a_range_of_characters_says_where_it_is() -> None:
    found = by_characters("abcdef", 1, 3)

    assert (found.start, found.end, found.unit, found.first, found.last, found.total) == (
        1,
        3,
        "characters",
        1,
        3,
        6,
    )
    assert found.more == 3


@pytest.mark.parametrize(
    ("text", "index", "cut"),
    [
        ('{"a": "one two", "b": 12345}', 10, 6),
        ('{"a": "one two", "b": 12345}', 24, 22),
        ('{"a": "one two", "b": 12345}', 16, 16),
        ("id\tname\n1\tone\n2\ttwo\n", 10, 8),
        ('id,a,b\n1,"x\ny",2\n3,4,5\n', 13, 7),
        ("# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", 30, 25),
        ("# T\n\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n", 15, 5),
        ("words\nand words", 9, 9),
    ],
)
def test_a_range_of_characters_is_moved_off_a_value_or_row(text: str, index: int, cut: int) -> None:
    assert by_characters(text, 0, index).end == cut == by_characters(text, index, len(text)).start


def test_a_value_too_long_to_be_whole_is_read_in_parts_but_no_escape_is_cut() -> None:
    text = json.dumps({"content": "é\n" * WHOLE})

    parts = [by_characters(text, at, at + 101) for at in range(0, len(text), 101)]

    assert "".join(part.text for part in parts) == text
    assert all(json.loads(f'"{part.text}"') for part in parts[1:-1])


def test_ranges_outside_the_text_are_empty() -> None:
    assert by_characters("abc", 5, 9).text == ""
    assert by_characters("abc", -5, 2).text == "ab"
    assert by_characters("abc", 2, 1).text == ""


def test_lines_count_from_one_and_keep_their_breaks() -> None:
    text = "one\r\ntwo\rthree\nfour"

    assert by_lines(text, 2, 3).text == "two\rthree\n"
    found = by_lines(text, 3, 99)
    assert (found.text, found.first, found.last, found.total, found.more) == ("three\nfour", 3, 4, 4, 0)


@pytest.mark.parametrize(
    ("first", "last", "text"), [(0, 1, "a\n"), (5, 9, ""), (2, 1, ""), (-3, -1, ""), (1, 0, "")]
)
def test_lines_outside_the_text_are_left_out(first: int, last: int, text: str) -> None:
    assert by_lines("a\nb\n", first, last).text == text


def test_lines_that_are_not_there_still_say_how_many_there_are() -> None:
    found = by_lines("a\nb\n", 5, -3)

    assert (found.first, found.last, found.total, found.more) == (3, 2, 2, 0)


def test_a_long_line_stays_whole() -> None:
    text = "x" * 100_000 + "\ny"

    assert len(by_lines(text, 1, 1).text) == 100_001


def test_a_section_is_read_with_those_inside_it() -> None:
    text = "# a\n## b\nc\n# d\n"

    assert by_section(text, "a").text == "# a\n## b\nc\n"
    with pytest.raises(NoSection):
        by_section(text, "x")


def test_items_are_a_json_array_again() -> None:
    text = json.dumps({"total": 5, "rows": [{"n": n} for n in range(5)]}, indent=1)

    found = by_items(text, 2, 3)

    assert json.loads(found.text) == [{"n": 1}, {"n": 2}]
    assert (found.unit, found.first, found.last, found.total, found.more) == ("items", 2, 3, 5, 2)
    assert json.loads(by_items(text, 6, 9).text) == []


def test_items_of_a_table_are_its_rows() -> None:
    assert by_items("id\tname\n1\tone\n2\ttwo\n", 2, 2).text == "2\ttwo\n"


@pytest.mark.parametrize("text", ["just text", "# heading\n\n- a\n- b\n", '{"a": 1}', "[]"])
def test_a_text_without_a_list_says_so(text: str) -> None:
    with pytest.raises(NoItems, match="no list of items"):
        by_items(text, 1, 2)
