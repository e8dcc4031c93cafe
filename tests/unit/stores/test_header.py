"""Headers: an edit changes only the lines it must, or is refused; nothing is lost."""

from datetime import date
from enum import Enum
from typing import Any

import pytest

from laconic.stores.errors import Unreadable
from laconic.stores.header.composing import compose
from laconic.stores.header.header import Header

ORDER = ("id", "title", "status", "priority", "labels", "createdAt", "updatedAt", "assignee")
FILE = """\
---
id: '000123'
title: Keep commas, and "quotes", as they are  # said Ann
status: open
priority: high
labels:
  - api  # first
  # about the next
  - "ui"
flow: [a, 'b',
  c]  # several lines
createdAt: "2025-01-01T10:00:00.000Z"
updatedAt: '2025-01-01T10:00:00.000Z'
unknown: &anchor {x: 1}
alias: *anchor
context:
  agent: ann  # who
  tasks:
  - one
empty:
text: |-
  # not a comment

  two
# the end

---

Body.
"""


def edited(text: str, key: str, value: Any, order: tuple[str, ...] = ()) -> str:
    header = Header.of(text, order)
    header.set(key, value)
    return header.text()


def in_header(lines: str, key: str, value: Any, order: tuple[str, ...] = ()) -> str:
    """The lines of a header after an edit."""
    text = edited(f"---\n{lines}---\nbody", key, value, order)
    assert text.startswith("---\n")
    assert text.endswith("---\nbody")
    return text[4 : -len("---\nbody")]


def test_values_are_read_without_surprises() -> None:
    lines = (
        "a: yes\nb: 000123\nc: 2025-01-01\nd: 1e3\ne: 1.10\nf: 12\ng: true\nh: ~\ni: [1, '1']\nj: {k: no}\n"
    )
    header = Header.of(f"---\n{lines}0x1F: 1_000\n12: =\n---\n")

    assert header.values() == {
        **{
            "a": "yes",
            "b": "000123",
            "c": "2025-01-01",
            "d": "1e3",
            "e": "1.10",
            "f": 12,
            "g": True,
            "h": None,
        },
        **{"i": [1, "1"], "j": {"k": "no"}, "0x1F": "1_000", "12": "="},
    }


def test_a_scalar_can_be_read_as_written() -> None:
    header = Header.of("---\na: True\nb: ~\nc: 12\nd: '12'\ne: [x]\n---\n")

    assert [header.raw(key) for key in "abcdef"] == ["True", "~", "12", "12", None, None]


def test_a_priority_change_touches_exactly_one_line() -> None:
    text = edited(FILE, "priority", "low")

    changed = [pair for pair in zip(FILE.split("\n"), text.split("\n"), strict=True) if pair[0] != pair[1]]
    assert changed == [("priority: high", "priority: low")]


@pytest.mark.parametrize("key", [key for key, value in Header.of(FILE).values().items() if value is not None])
def test_the_value_a_key_has_changes_nothing(key: str) -> None:
    header = Header.of(FILE)

    header.set(key, header.values()[key])

    assert header.text() == FILE


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("title", "No quotes, still", 'Keep commas, and "quotes", as they are  #', "No quotes, still  #"),
        ("title", "Now: quotes", 'Keep commas, and "quotes", as they are  #', "'Now: quotes'  #"),
        (
            "title",
            "a\nb",
            'title: Keep commas, and "quotes", as they are  # said Ann',
            "title: |-  # said Ann\n  a\n  b",
        ),
        ("createdAt", "2026-01-01T10:00:00.000Z", '"2025-01-01T', '"2026-01-01T'),
        ("updatedAt", "2026-01-01T10:00:00.000Z", "'2025-01-01T", "'2026-01-01T"),
        ("id", "000124", "'000123'", "'000124'"),
        ("id", "ISS-000124", "'000123'", "ISS-000124"),
        ("labels", ["api", "ui", "new"], '"ui"\n', '"ui"\n  - "new"\n'),
        ("labels", ["ui"], "  - api  # first\n", ""),
        ("labels", ["api"], '  # about the next\n  - "ui"\n', ""),
        ("labels", [], 'labels:\n  - api  # first\n  # about the next\n  - "ui"\n', "labels: []\n"),
        ("flow", ["a", "b", "c", "d"], "  c]", "  c,\n  d]"),
        ("flow", ["a", "c"], "[a, 'b',", "[a,"),
        ("flow", [], "[a, 'b',\n  c]  #", "[]  #"),
        ("context", {"agent": "bob", "tasks": ["one"]}, "agent: ann  #", "agent: bob  #"),
        ("context", {"agent": "ann", "tasks": ["one", "two"]}, "  - one\n", "  - one\n  - two\n"),
        ("context", {"agent": "ann", "n": None, "tasks": ["one"]}, "# who\n", "# who\n  'n': null\n"),
        ("context", {"tasks": ["one"]}, "  agent: ann  # who\n", ""),
        ("context", {}, "context:\n  agent: ann  # who\n  tasks:\n  - one\n", "context: {}\n"),
        ("alias", "gone", "*anchor", "gone"),
        ("empty", "no", "empty:", "empty: 'no'"),
        ("empty", 12, "empty:", "empty: 12"),
        ("empty", False, "empty:", "empty: false"),
        ("empty", ["a"], "empty:", "empty:\n  - a"),
        ("text", "short", "|-\n  # not a comment\n\n  two", "short"),
        ("text", "two\nlines", "# not a comment\n\n  two", "two\n  lines"),
    ],
)
def test_an_edit_changes_what_it_must(key: str, value: Any, old: str, new: str) -> None:
    assert FILE.count(old) == 1
    assert edited(FILE, key, value) == FILE.replace(old, new)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain words", "plain words"),
        ("a: b", "'a: b'"),
        ("it's", "it's"),
        ("'it'", "'''it'''"),
        ("2025-01-01T10:00:00.000Z", "'2025-01-01T10:00:00.000Z'"),
        ("", "''"),
        ("a\tb", '"a\\tb"'),
        ("\x1b\u2028\ufeff", '"\\e\\L\\uFEFF"'),
        ("😀", "😀"),
        ("x\n", "|\n  x"),
        ("x\n\ny", "|-\n  x\n\n  y"),
        ("  x\ny", "|2-\n    x\n  y"),
        ("word " * 20 + "end", ">-\n  " + "word " * 14 + "word\n  word word word word word end"),
        ([], "[]"),
        (["a", "b: c"], "\n  - a\n  - 'b: c'"),
        ([["a", {"b": 1, "c": []}]], "\n  - - a\n    - b: 1\n      c: []"),
        ({"a": {"b": "c"}}, "\n  a:\n    b: c"),
        (1.5, "!!float 1.5"),
        (10**20, "!!int 100000000000000000000"),
        (-7, "-7"),
    ],
)
def test_new_values_are_written_as_others_of_its_kind_do(value: Any, written: str) -> None:
    space = "" if written.startswith("\n") else " "

    assert in_header("", "key", value) == f"key:{space}{written}\n"
    assert compose({"key": value}, (), "") == f"---\nkey:{space}{written}\n---\n"
    assert Header.of(compose({"key": value}, (), "")).values() == {"key": value}


@pytest.mark.parametrize(
    ("lines", "value", "expected"),
    [
        ("key: 2025-01-01\n", "2026-01-01", "key: 2026-01-01\n"),  # a date without quotes stays one
        ("key: yes\n", "no", "key: no\n"),
        ("key: yes\n", "true", "key: 'true'\n"),
        ("key: yes\n", "2026-01-01", "key: '2026-01-01'\n"),
        ("key: null\n", "no", "key: 'no'\n"),
        ("key: 'x'\n", "y z", "key: 'y z'\n"),
        ("key: 'x'\n", "a\nb", "key: |-\n  a\n  b\n"),
        ('key: "x"\n', "a\nb", 'key: "a\\nb"\n'),
        ("key: |\n    x\n", "y", "key: 'y'\n"),
        ("key: |-\n  x\n", "z", "key: |-\n  z\n"),
        ("key:   x\n", "z", "key:   z\n"),
        ("key:\n  x # why\n", "z", "key:\n  z # why\n"),
        ("key: # why\n  - x\n", "z", "key: z # why\n"),
        ("key: >- # why\n  x\n  y\n", "z", "key: >- # why\n  z\n"),
        ("key: x # why\n", ["z"], "key: # why\n  - z\n"),
        ("key:\n- x\n", ["x", "z"], "key:\n- x\n- z\n"),
        ("key:\n    -   x\n", ["z"], "key:\n    - z\n"),
        ("key: {a: 1}\n", {"a": 2}, "key: {a: 2}\n"),
        ("key: []\n", ["z"], "key:\n  - z\n"),
        ("'key' : x\n", "z", "'key' : z\n"),
        ("  key: x\n", ["z"], "  key:\n    - z\n"),
        ("key: !!str 12\n", "13", "key: '13'\n"),
        ("? other\n: x\nkey: y\n", "z", "? other\n: x\nkey: z\n"),
        ("- x\n", "y", None),
        ("{key: x}\n", "y", None),
        ("? key\n: x\n", "y", None),
    ],
)
def test_the_way_a_key_is_written_is_kept_where_it_can_be(
    lines: str, value: Any, expected: str | None
) -> None:
    if expected is None:
        with pytest.raises(Unreadable):
            in_header(lines, "key", value)
    else:
        assert in_header(lines, "key", value) == expected


def test_a_new_key_goes_after_its_nearest_neighbour() -> None:
    lines = "id: 1\nlabels:\n  - a\n\n# end\nother: x\n"

    assert in_header(lines, "updatedAt", "x", ORDER) == lines.replace("- a\n", "- a\nupdatedAt: x\n")
    assert in_header(lines, "title", "x", ORDER) == lines.replace("id: 1\n", "id: 1\ntitle: x\n")
    assert in_header(lines, "unheard", "x", ORDER) == lines + "unheard: x\n"
    assert in_header("other: x\n", "title", "x", ORDER) == "other: x\ntitle: x\n"


def test_none_removes_every_occurrence_of_a_key() -> None:
    assert in_header("a: 1\nb:\n  - x\n# c\na: 2\n", "a", None) == "b:\n  - x\n# c\n"
    assert in_header("a: 1\n", "b", None) == "a: 1\n"


def test_a_duplicate_key_is_edited_where_it_counts_and_reported() -> None:
    assert Header.of("---\na: 1\na: 2\n---\n").problem == "The header names a twice; the last one counts."
    assert in_header("a: 1\nb: 3\na: 2\n", "a", 4) == "a: 1\nb: 3\na: 4\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("---\na: 1\n---\n", None),
        ("---\na: 1\na: 2\n---\n", "repeated"),
        ("---\na: b: c\n---\n", "invalid"),
        ("---\na: 1\n\nbody", "unclosed"),
        ("---\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n---\n", "conflict"),
        ("<<<<<<< HEAD\n---\na: 1\n---\n", "conflict"),
    ],
)
def test_a_problem_has_a_kind_for_programs(text: str, kind: str | None) -> None:
    header = Header.of(text)

    assert (header.problem_kind, header.problem is None) == (kind, kind is None)


def test_a_value_that_others_refer_to_is_not_changed_under_them() -> None:
    header = Header.of(FILE)
    for value in ({"x": 2}, None):
        with pytest.raises(Unreadable, match="without changing other values"):
            header.set("unknown", value)
    assert header.text() == FILE


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_a_mark_and_a_missing_last_line_end_stay(end: str, mark: str) -> None:
    text = mark + FILE.replace("\n", end).removesuffix(end)

    assert edited(text, "status", "closed") == text.replace("status: open", "status: closed")
    with_list = edited(text, "status", ["x", "z"])
    assert with_list == text.replace("status: open", f"status:{end}  - x{end}  - z")
    assert edited(text, "new", "x") == text.replace(
        f"{end}---{end}{end}Body", f"{end}new: x{end}---{end}{end}Body"
    )


def test_mixed_line_ends_stay_mixed() -> None:
    text = "---\r\na: 1\nb: 2\r\nc: 3\r\n---\nx\r\ny\n"

    assert edited(text, "a", ["x"]) == text.replace("a: 1\n", "a:\n  - x\n")
    assert edited(text, "b", ["x"]) == text.replace("b: 2\r\n", "b:\r\n  - x\r\n")
    assert edited(text, "d", 4) == text.replace("c: 3\r\n", "c: 3\r\nd: 4\r\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "---\nkey: x\n---\n"),
        ("Body", "---\nkey: x\n---\nBody"),
        ("\ufeffBody\r\n", "\ufeff---\r\nkey: x\r\n---\r\nBody\r\n"),
        ("---\n---\nBody", "---\nkey: x\n---\nBody"),
        ("---\n---", "---\nkey: x\n---"),
        ("---\n# remark\n---\n", "---\n# remark\nkey: x\n---\n"),
        ("---yaml\nkey: y\n---\n", "---yaml\nkey: x\n---\n"),
        ("---\n\nA rule above.\n", "---\nkey: x\n---\n---\n\nA rule above.\n"),
    ],
)
def test_a_text_without_a_header_gets_one(text: str, expected: str) -> None:
    assert edited(text, "key", "x") == expected


@pytest.mark.parametrize("tag", ["js", "javascript", "json", "coffee", " js", "toml"])
def test_a_block_in_another_language_is_plain_text(tag: str) -> None:
    text = f"---{tag}\nmodule.exports = process.exit(1)\n---\nbody"
    header = Header.of(text)

    assert (header.values(), header.problem, header.body) == ({}, None, text)
    header.set("key", "x")
    assert header.text() == f"---\nkey: x\n---\n{text}"


def test_tags_run_nothing() -> None:
    header = Header.of("---\na: !!python/object/apply:os.getcwd []\nb: !!js/function 'x'\n---\n")

    assert header.values() == {"a": [], "b": "x"}


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("a: b: c\n", "not valid YAML, line 1: mapping values"),
        ("a: [1\n", "not valid YAML, line 2"),
        ("just words\n", "a scalar, not a mapping"),
        ("- a\n", "a sequence, not a mapping"),
        ("a: \x1b\n", "not valid YAML: unacceptable character"),
        ("<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n", "a conflict marker, line 1"),
        ("a: &a [*a]\n", "a value that contains itself, line 1"),
        (
            "a: &a [x, x]\n"
            + "".join(
                f"{x}: &{x} [{'*' + y + ', '}*{y}]\n"
                for x, y in zip("bcdefghijklmnop", "abcdefghijklmno", strict=True)
            ),
            "more than 10,000 values",
        ),
    ],
)
def test_a_broken_header_is_a_problem_and_no_exception(lines: str, problem: str) -> None:
    header = Header.of(f"---\n{lines}---\nbody")

    assert problem in str(header.problem)
    assert header.is_broken
    assert header.body == "body"
    header.values()


def test_what_can_be_read_of_a_broken_header_is_read() -> None:
    lines = 'id: 12\ntitle: Fix: the build\nlabels:\n  - a\nquoted: "x\nlast: 1\n'
    header = Header.of(f"---\n{lines}---\n")

    assert header.values() == {
        "id": 12,
        "title": "Fix: the build",
        "labels": ["a"],
        "quoted": '"x',
        "last": 1,
    }
    assert [header.raw(key) for key in ("id", "title", "labels")] == ["12", "Fix: the build", None]


OURS_AND_BASE = "<<<<<<< HEAD\nstatus: open\n||||||| base\nstatus: new\n"
CONFLICT = f"id: 1\n{OURS_AND_BASE}=======\nstatus: closed\n>>>>>>> b\nlast: x\n"
IN_A_LIST = "labels: [a,\n<<<<<<< x\n  b\n=======\n  c\n>>>>>>> y\n  ]\nid: 1\n"
BROKEN = "title: Fix: it\nstatus: open\n"
UNCLOSED = 'title: "Fix it\nstatus: open\n'


@pytest.mark.parametrize(
    ("lines", "key", "value", "expected"),
    [
        (BROKEN, "status", "closed", "title: Fix: it\nstatus: closed\n"),
        (BROKEN, "status", "open", BROKEN),
        (BROKEN, "status", None, "title: Fix: it\n"),
        (BROKEN, "title", "Fix: it", "title: 'Fix: it'\nstatus: open\n"),
        (BROKEN, "priority", "low", BROKEN + "priority: low\n"),
        (UNCLOSED, "title", "Fix it", "title: Fix it\nstatus: open\n"),
        (UNCLOSED, "status", "closed", None),
        (UNCLOSED, "priority", "low", None),
        (CONFLICT, "id", 2, CONFLICT.replace("id: 1", "id: 2")),
        (CONFLICT, "last", ["z"], CONFLICT.replace("last: x", "last:\n  - z")),
        (CONFLICT, "title", "x", CONFLICT.replace("id: 1\n", "id: 1\ntitle: x\n")),
        (CONFLICT, "status", "closed", None),
        (CONFLICT, "status", None, None),
        (CONFLICT, "priority", "low", None),
        (IN_A_LIST, "id", 2, IN_A_LIST.replace("id: 1", "id: 2")),
        (IN_A_LIST, "labels", ["a"], None),
        ("just words\n", "key", "x", None),
        ("title: a\x1bb\nstatus: open\n", "status", "closed", "title: a\x1bb\nstatus: closed\n"),
    ],
)
def test_a_broken_header_is_edited_where_that_is_safe(
    lines: str, key: str, value: Any, expected: str | None
) -> None:
    if expected is None:
        with pytest.raises(Unreadable):
            in_header(lines, key, value, ORDER)
    else:
        assert in_header(lines, key, value, ORDER) == expected


def test_our_side_of_a_conflict_is_read() -> None:
    assert Header.of(f"---\n{CONFLICT}---\n").values() == {"id": 1, "status": "open", "last": "x"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\nid: 1\n\nbody", "The header is never closed."),
        ("<<<<<<< HEAD\n---\nid: 1\n---\n", "The file begins with a conflict marker."),
    ],
)
def test_where_a_header_ends_must_be_known(text: str, problem: str) -> None:
    header = Header.of(text)

    assert (header.values(), header.problem) == ({}, problem)
    with pytest.raises(Unreadable, match=problem):
        header.set("id", 2)
    with pytest.raises(Unreadable, match=problem):
        header.set_body("x")
    assert header.text() == text


@pytest.mark.parametrize(
    ("text", "body", "expected"),
    [
        ("---\na: 1\n---\nold\n", "new", "---\na: 1\n---\nnew\n"),
        ("---\na: 1\n---\nold", "new", "---\na: 1\n---\nnew"),
        ("---\na: 1\n---\nold\n", "", "---\na: 1\n---\n"),
        ("---\na: 1\n---", "new", "---\na: 1\n---\nnew\n"),
        ("---\r\na: 1\r\n---\r\nold\r\n", "x\ny", "---\r\na: 1\r\n---\r\nx\r\ny\r\n"),
        ("---\na: 1\n---\nold\r\n", "x\ny\n", "---\na: 1\n---\nx\r\ny\r\n"),
        ("---\r\na: 1\r\n---\r\n", "x\ny\n", "---\r\na: 1\r\n---\r\nx\r\ny\r\n"),
        ("---\na: 1\n---\nold\n", "x\r\ny\nz", "---\na: 1\n---\nx\r\ny\nz\n"),
        ("old", "new", "new"),
        ("old", "---\na: 1\n---\n", "---\n---\n---\na: 1\n---\n"),
        ("", "\ufeff---\na: 1\n---\n", "---\n---\n\ufeff---\na: 1\n---\n"),
        ("---\na: 1\n---\nold\n", "---\nb: 2\n---\n", "---\na: 1\n---\n---\nb: 2\n---\n"),
    ],
)
def test_a_body_is_replaced_below_its_header(text: str, body: str, expected: str) -> None:
    header = Header.of(text)
    known = header.values()

    header.set_body(body)

    assert header.text() == expected
    assert Header.of(expected).values() == known


def test_a_file_is_composed_in_order() -> None:
    values: dict[str, Any] = {
        "extra": "x",
        "labels": [],
        "id": "ISS-000001",
        "assignee": None,
        "title": "A: b",
    }

    assert compose(values, ORDER, "Body") == (
        "---\nid: ISS-000001\ntitle: 'A: b'\nlabels: []\nextra: x\n---\nBody\n"
    )
    assert compose({}, (), "---\na: 1\n---\n") == "---\n---\n---\na: 1\n---\n"


def test_a_comment_goes_below_its_key_or_where_the_key_would_be() -> None:
    header = Header.of("---\nid: 1\ntext: |-\n  a\n\n---\n", ORDER)

    header.remark("text", "see\nbelow")
    header.remark("title", "none yet")

    assert header.text() == "---\nid: 1\n# none yet\ntext: |-\n  a\n# see below\n\n---\n"


class Colour(str, Enum):  # noqa: UP042  # its str() is not its value, which is the point here
    RED = "red"


def test_an_enumeration_is_written_as_its_value() -> None:
    assert in_header("", "key", [Colour.RED]) == "key:\n  - red\n"


@pytest.mark.parametrize("value", [date(2025, 1, 1), b"x", {1: "x"}, {"a": object()}, float("nan"), {1, 2}])
def test_a_value_yaml_cannot_express_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        in_header("", "key", value)


def test_half_a_character_and_endless_nesting_are_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)

    for value in ("\ud800", {"\udc00": "x"}, endless):
        with pytest.raises(Unreadable):
            in_header("", "key", value)
