"""Compact JSON is the standard library's, written with an encoder that is made once."""

import json
from json import encoder as parts
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from laconic.kit.compact import compact, writer
from laconic.kit.wire.lean.lines import read
from laconic.kit.wire.protocol import ProtocolError

VALUES = some.recursive(
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats(allow_nan=False, allow_infinity=False)
    | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
)


@given(VALUES, some.booleans())
def test_a_value_is_written_as_the_standard_library_does(value: Any, is_ascii: bool) -> None:
    expected = json.dumps(value, separators=(",", ":"), ensure_ascii=is_ascii)
    assert writer(ensure_ascii=is_ascii)(value) == expected


def test_a_python_without_the_quick_encoder_writes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "c_make_encoder", None)
    assert writer(ensure_ascii=False)({"a": ["é", 1]}) == '{"a":["é",1]}'


def test_what_is_no_json_is_written_as_text() -> None:
    assert compact({"a": {1}.__class__}) == '{"a":"<class \'set\'>"}'


def test_no_number_is_refused_where_the_wire_forbids_it() -> None:
    with pytest.raises(ValueError):
        writer(allow_nan=False)([float("nan")])


def test_a_value_that_contains_itself_fails() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        compact(endless)


@given(VALUES, some.sampled_from(["", " ", "\t", "\r"]), some.sampled_from(["", "  ", "\r"]))
def test_a_line_is_read_with_or_without_spaces_around_it(value: Any, before: str, after: str) -> None:
    assert read(f"{before}{json.dumps(value)}{after}".encode()) == value


@pytest.mark.parametrize("line", ["", " ", "{} {}", "{}x", '{"a":1', "[1,]", "nul"])
def test_a_line_that_is_no_json_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError, match="Parse error"):
        read(line.encode())
