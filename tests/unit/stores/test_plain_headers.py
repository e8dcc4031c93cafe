"""Plain headers are read without the YAML parser: what is read is what the parser reads, or nothing."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laconic.stores.header.fences import Fenced
from laconic.stores.header.header import Header
from laconic.stores.header.plain import plain_values
from laconic.stores.header.plain_nodes import plain_root
from laconic.stores.header.reading import read
from laconic.stores.header.yaml_nodes import same, value_of
from laconic.stores.header.yaml_parser import root_of
from tests.chance import examples


def parsed(header: str) -> dict[str, Any] | None:
    """What the parser reads; None if it complains."""
    found = read(Fenced("", "---\n", header, "---\n", ""))
    if found.problem is not None:
        return None
    return {key: value_of(node) for key, node in found.nodes.items()}


def agree(header: str) -> bool:
    """Check one header; return whether it was read as a plain one."""
    plain = plain_values(header)
    if plain is None:
        return False
    expected = parsed(header)
    assert expected is not None, header
    assert list(plain) == list(expected)
    assert same(plain, expected), (plain, expected)
    assert drawn(plain_root(header)) == drawn(root_of(header))
    return True


def drawn(node: Any) -> Any:
    """A tree of nodes with their positions, but where a block ends, which the parser puts below it."""
    if node is None:
        return None
    start, end = ((mark.index, mark.line, mark.column) for mark in (node.start_mark, node.end_mark))
    if node.id == "scalar":
        return node.tag, node.value, node.style or None, start, end
    inner = [drawn(one) for each in node.value for one in (each if node.id == "mapping" else [each])]
    return node.id, start, end if node.flow_style else bool(node.flow_style), inner


TYPICAL = """\
id: ISS-000123
title: 'Search: the "first" word isn''t found'
type: issue
status: in_progress
priority: high
labels: [search, 'two words', "area: core", v1.2, area/text]
createdAt: '2025-06-21T00:24:21.000Z'
updatedAt: 2025-06-21T00:24:21.000Z
assignee: Zoë
project: null
count: 12
empty: []
blockedBy:
  - ISS-000001
  - 'ISS-000002'
wranglerContext:
  agentId: agent-19
  parentTaskId: ISS-000001
  steps: [one, two]
"""


def test_a_typical_header_is_a_plain_one() -> None:
    assert agree(TYPICAL)
    assert agree("labels:\n- a\n- b\ntitle: c\n")
    assert agree("")


@pytest.mark.parametrize(
    "header",
    [
        "title: a # comment\n",
        "# comment\ntitle: a\n",
        "title: a\n\nid: b\n",
        "title: a\n  b\n",
        "title: |\n  a\n",
        "title: >-\n  a\n  b\n",
        "title: a: b\n",
        "title: a:\n",
        "title: 'a\n",
        "title: 'a' b\n",
        'title: "a\\n"\n',
        "title: &x a\nid: *x\n",
        "title: !!str 12\n",
        "title: {a: b}\n",
        "title: [a, [b]]\n",
        "title: [a: b]\n",
        "title: [a,, b]\n",
        "title: [a,]\n",
        "title: [,]\n",
        "title: [- a]\n",
        "title: [a # b\n",
        "title: -\n",
        "title: - a\n",
        "title: @a\n",
        "title: `a`\n",
        "title: %a\n",
        "title: ? a\n",
        "title: , a\n",
        "title: a\ttab\n",
        "title:\ta\n",
        "\ttitle: a\n",
        " title: a\n",
        "title: a\n id: b\n",
        "a:\n  - b\n - c\n",
        "a:\n  - b\n  c: d\n",
        "a:\n  b: c\n  - d\n",
        "a:\n  b: c\n    d: e\n",
        "a:\n  - b: c\n",
        "a:\n  - - b\n",
        "a:\n  -\n",
        "a:\n  b: c\n  b: d\n",
        "a: b\na: c\n",
        "a: b\r\n",
        "a: b\x85c\n",
        "a: b\u2028c\n",
        "a: \ufeffb\n",
        "a: \udc80\n",
        "a: \x07\n",
        "a : b\n",
        "a:b\n",
        "'a': b\n",
        "1: b\n",
        "- a\n",
        "...\n",
        "a\n",
        "a: b\n<<<<<<< ours\n",
        "a: " + "[" * 300 + "\n",
        "a: {}\n  b: c\n",
        "a: [b]\n  - c\n",
        "a: 'b'\n  c\n",
        f"{'k' * 1100}: a\n",
    ],
)
def test_whatever_is_not_plain_is_left_to_the_parser(header: str) -> None:
    assert not agree(header)


SCALARS = st.sampled_from(
    [
        *(
            "a",
            "a b",
            "a  b",
            "true",
            "True",
            "yes",
            "null",
            "~",
            "0",
            "-1",
            "007",
            "12",
            "1e3",
            "1.10",
            "'",
            "''",
        ),
        *(
            "'a'",
            "'a''b'",
            "'a: b'",
            "' a '",
            "'[a]'",
            '"a"',
            '" a # b "',
            '"a\\tb"',
            "a:b",
            "a#b",
            "a #b",
            "a: b",
        ),
        *(
            "2025-01-01",
            "2025-01-01T10:00:00Z",
            "'12'",
            "=",
            "<<",
            "a,b",
            "a]",
            "a}",
            "{}",
            "{ }",
            "[]",
            "[ ]",
        ),
        *(
            "[a]",
            "[ a , b ]",
            "[a,b]",
            "['a, b', c]",
            '["a"]',
            "[a, ]",
            "[1, true, null]",
            "[a b, c d]",
            "[a:b]",
        ),
        *("[é, ß]", "[a-b, c_d]", "[.a]", "[a.b]", "[a/b]", "[a+b]", "[a -b]", "[a - b]", "[a#b]", "[a #b]"),
        *(
            "Zoë",
            "ß 漢字",
            "🙂",
            "a\u00a0b",
            "-a",
            "- a",
            "?a",
            ":a",
            "!a",
            "|",
            ">",
            "&a",
            "*a",
            "a'b",
            'a"b',
            "",
            " ",
        ),
    ]
) | st.text(st.characters(codec="utf-8"), max_size=12)
KEYS = st.sampled_from(
    ["a", "b", "title", "labels", "blockedBy", "a-b", "_x", "true", "<<", "9", "'q'", "a b", "é"]
)
LINES = st.one_of(
    st.builds("{}: {}\n".format, KEYS, SCALARS),
    st.builds("{}:\n".format, KEYS),
    st.builds("{}- {}\n".format, st.sampled_from(["", " ", "  ", "    "]), SCALARS),
    st.builds("{}{}: {}\n".format, st.sampled_from([" ", "  ", "    "]), KEYS, SCALARS),
    st.sampled_from(
        ["\n", "# c\n", "---\n", "...\n", "  \n", "  a\n", "a: b # c\n", "a: |\n", "  - x\n", "  y: z\n"]
    ),
)


@pytest.mark.hypothesis
@examples(1500)
@given(st.lists(LINES, max_size=8).map("".join))
@example(TYPICAL)
def test_both_ways_agree_on_random_headers(header: str) -> None:
    agree(header)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=20)


@pytest.mark.hypothesis
@examples(600)
@given(
    st.dictionaries(st.sampled_from(["title", "labels", "project", "x"]), WORDS | st.lists(WORDS, max_size=4))
)
def test_what_we_write_is_read_alike_in_both_ways(values: dict[str, Any]) -> None:
    header = Header.of("")
    for key, value in values.items():
        header.set(key, value)

    agree(header._file.header)
    assert header.values() == {key: value for key, value in values.items() if value is not None}


def test_a_plain_header_can_be_edited_and_then_read_again() -> None:
    header = Header.of(f"---\n{TYPICAL}---\nText.\n")
    assert header.values()["count"] == 12
    assert header.raw("count") == "12"

    header.set("title", "one: two # three")
    header.values()["labels"].append("not in the header")

    assert header.values()["title"] == "one: two # three"
    assert len(header.values()["labels"]) == 5
    assert header.problem is None
