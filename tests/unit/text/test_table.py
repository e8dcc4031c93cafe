"""Rows and heads of tables."""

import pytest

from laconic.text.formats.table import body, cells, head, pipe_tables, rows
from laconic.text.lines import line_spans

# the text, its head, its rows after the head
TABLES = {
    "TSV": ("id\tname\n1\tone\n2\t\n", ["id", "name"], ["1\tone\n", "2\t\n"]),
    "TSV without a last break": ("id\tname\r\n1\tone", ["id", "name"], ["1\tone"]),
    "TSV with a quotation mark": ('id\tname\n1\t"one\n2\ttwo"\n', ["id", "name"], ['1\t"one\n', '2\ttwo"\n']),
    "CSV": ("a,b,c\n1,2,3\n", ["a", "b", "c"], ["1,2,3\n"]),
    "CSV with quoted breaks": (
        'a,"b ""c""",d\r\n"1\r\n,2",3,"x\ny"\r\n4,5,6',
        ["a", 'b "c"', "d"],
        ['"1\r\n,2",3,"x\ny"\r\n', "4,5,6"],
    ),
    "CSV with a stray quotation mark": (
        'a,b,c\n5" pipe,2,3\n1,"open,3\n1,2,3\n',
        ["a", "b", "c"],
        ['5" pipe,2,3\n', '1,"open,3\n', "1,2,3\n"],
    ),
    "CSV with blank lines": ("\na,b,c\n\n1,2,3\n\n", ["a", "b", "c"], ["1,2,3\n\n"]),
    "semicolons": ("a;b\n1,5;2\n3;4\n", ["a", "b"], ["1,5;2\n", "3;4\n"]),
    "pipes": ("| a | b \\| c |\n|:--|--:|\n| 1 | 2 |\n", ["a", "b \\| c"], ["| 1 | 2 |\n"]),
    "pipes without a frame": ("a | b\n--|--\n1 | 2\r", ["a", "b"], ["1 | 2\r"]),
}


@pytest.mark.parametrize(("text", "names", "lines"), TABLES.values(), ids=TABLES.keys())
def test_head_and_rows_are_found(text: str, names: list[str], lines: list[str]) -> None:
    assert head(text) == names
    assert [text[start:end] for start, end in body(text)] == lines


@pytest.mark.parametrize("text", [case[0] for case in TABLES.values()], ids=TABLES.keys())
def test_the_rows_join_to_the_whole(text: str) -> None:
    assert "".join(text[start:end] for start, end in rows(text)) == text


def test_tables_inside_a_text_are_found() -> None:
    text = "Words | with a pipe\n\n| a | b |\n|---|---|\n| 1 | 2 |\nafter\n\n> c | d\n> - | -\n> 3 | 4\n"

    tables = pipe_tables(text, line_spans(text))

    assert ["".join(text[slice(*row)] for row in table) for table in tables] == [
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "> c | d\n> - | -\n> 3 | 4\n",
    ]
    assert head(text) == ["a", "b"]
    assert len(rows(text)) == 6
    assert body(text) == []


def test_a_rule_alone_is_no_table() -> None:
    text = "words\n|---|---|\n| 1 | 2 |\n"

    assert rows(text) == []
    assert head(text) == []


def test_cells_lose_their_quotation_marks() -> None:
    assert cells('1,"a ""b"", c",\r\n', ",") == ["1", 'a "b", c', ""]
