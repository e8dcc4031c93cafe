"""JSON of other systems: read whole, unless it is nested deeper than what walks through it can go."""

import json

import pytest

from laconic.upstream.decoding import json_of


def nested(levels: int, innermost: str = "1") -> bytes:
    return ("[" * levels + innermost + "]" * levels).encode()


@pytest.mark.parametrize("levels", [1, 10, 11, 99, 100])
def test_a_hundred_levels_are_read(levels: int) -> None:
    value = json_of(nested(levels))
    for _ in range(levels):
        (value,) = value
    assert value == 1


@pytest.mark.parametrize(
    "content",
    [
        nested(101),
        nested(101, ""),
        b'{"a": ' * 101 + b"1" + b"}" * 101,
        b'["]", ' * 101 + b"1" + b"]" * 101,
        b'["]", ' * 101 + b"1" + b', "["]' * 101,
    ],
    ids=["lists", "empty", "objects", "texts that close", "texts that close and open"],
)
def test_one_level_more_is_refused(content: bytes) -> None:
    assert json.loads(content)
    with pytest.raises(ValueError, match="nested too deeply"):
        json_of(content)


@pytest.mark.parametrize("text", ["[" * 300, "]" * 300, "][" * 300, '{"a": [' * 300, "}{"])
def test_brackets_in_a_text_are_no_levels(text: str) -> None:
    assert json_of(json.dumps({"subject": text, "tags": [[text]]}).encode()) == {
        "subject": text,
        "tags": [[text]],
    }


ODD = ["\\", '"', '\\"[', '"]"', "a\\\\", '["', "é]", "\n[{", ""]


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("is_ascii", [True, False])
def test_levels_are_counted_beside_odd_texts(text: str, is_ascii: bool) -> None:
    value: object = text
    for number in range(100):
        value = {text: value} if number % 2 else [text, value, text]
    assert json_of(json.dumps(value, ensure_ascii=is_ascii).encode()) == value
    with pytest.raises(ValueError, match="nested too deeply"):
        json_of(json.dumps({text: value, "other": text}, ensure_ascii=is_ascii).encode())
