"""Cutting bytes into lines, and reading and writing them."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.kit.wire.lean.lines import LineSplitter, Overlong, id_of, read, write
from laconic.kit.wire.protocol import ProtocolError

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.lists(st.binary(max_size=40)), st.data())
def test_lines_are_the_same_however_the_stream_is_cut(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"\n".join(part.replace(b"\n", b"") for part in parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    chunks = [stream[begin:end] for begin, end in pairwise([0, *cuts, len(stream)])]
    lines = LineSplitter()

    found = [line for chunk in chunks for line in lines.feed(chunk)]

    assert [*found, lines.end()] == stream.split(b"\n")


@given(st.integers(0, 3000), st.integers(1, 700))
def test_of_a_line_that_is_too_long_only_the_ends_are_kept(length: int, chunk: int) -> None:
    stream = bytes(65 + number % 26 for number in range(length)) + b"\nnext\n"
    lines = LineSplitter(longest=2000)

    first, second = [
        line for begin in range(0, len(stream), chunk) for line in lines.feed(stream[begin : begin + chunk])
    ]

    assert second == b"next"
    if length > 2000:
        assert isinstance(first, Overlong)
        assert first == stream[:512] + stream[length - 512 : length]
    else:
        assert first == stream[:length]


def test_of_an_endless_line_no_more_is_held_than_one_may_be_long() -> None:
    lines = LineSplitter(longest=10_000)
    for _ in range(1000):
        assert list(lines.feed(b"x" * 1000)) == []
        assert len(lines._partial) <= 11_000
    assert len(lines.end()) == 1024


@given(JSON)
def test_what_is_written_is_one_line_and_reads_back(message: Any) -> None:
    line = write(message)

    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert read(line) == message


def test_half_a_character_from_a_file_name_can_still_be_written() -> None:
    assert json.loads(write({"name": "a\udcff"})) == {"name": "a\udcff"}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, {"a": {"b": float("-inf")}}])
def test_what_json_cannot_say_is_not_written(value: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        write(value)


@pytest.mark.parametrize(
    "line",
    [
        b"\xff",
        b"{",
        b"NaN",
        b"[Infinity]",
        b"[-Infinity]",
        b'"\\ud800"',
        b'"\\uDFFF\\ud800"',
        b"9" * 5000,
        b"[" * 99999,
    ],
    ids=lambda line: line[:16].decode("ascii", "replace"),
)
def test_what_is_no_json_is_a_parse_error(line: bytes) -> None:
    with pytest.raises(ProtocolError) as refused:
        read(line)
    assert refused.value.code == -32700


@pytest.mark.parametrize("line", [b'"\\ud83d\\ude00"', "😀".encode().join([b'"', b'"']), b' {"a": 1}\r'])
def test_whole_characters_and_spaces_are_read(line: bytes) -> None:
    assert read(line) in ("😀", {"a": 1})


@pytest.mark.parametrize(
    ("line", "id"),
    [
        (b'{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"x":"' + b"y" * 999, 12),
        (b' { "jsonrpc" : "2.0" , "id" : "a-1" , "method"', "a-1"),
        (b'{"method":"m","params":{"a":"b"},"jsonrpc":"2.0","id":-7}', -7),
        (b'{"id":12,"jsonrpc":"2.0",', None),
        (b'{"params":{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":5}"}', None),
        (b'{"jsonrpc":"2.0","id":1.5,', None),
        (b'{"jsonrpc":"2.0","id":null,', None),
        (b'{"jsonrpc":"2.0","id":"a\\"b",', None),
        (b'{"jsonrpc":"2.0","id":007,"method":"ping"', None),
        (b'{"jsonrpc":"2.0","id":"\xff","method":"ping"', None),
    ],
)
def test_the_id_of_an_overlong_line_is_found_where_it_cannot_be_another(line: bytes, id: Any) -> None:
    assert id_of(Overlong(line)) == id
