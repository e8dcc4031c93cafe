"""Frontmatter: parted from its body in any line ends, read as a mapping or said to be unreadable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.stores import Unreadable
from laconic.stores.frontmatter import load, split


@pytest.mark.parametrize(
    ("text", "header", "body"),
    [
        ("---\na: 1\n---\nbody\n", "a: 1\n", "body\n"),
        ("---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n"),
        ("\ufeff---\na: 1\n---\nbody", "a: 1\n", "body"),
        ("---  \na: 1\n---\t\n\n\nbody", "a: 1\n", "\n\nbody"),
        ("---\na: 1\n---", "a: 1\n", ""),
        ("---\n---\nbody", "", "body"),
        ("---\na: 1\n---\nb\n---\nc", "a: 1\n", "b\n---\nc"),
        ("---\na: |\n  ---\n---\nb", "a: |\n  ---\n", "b"),
        ("---\na: x---\n---\nb", "a: x---\n", "b"),
        ("body", None, "body"),
        ("\ufeffbody", None, "body"),
        ("", None, ""),
        ("---", None, "---"),
        ("---\n", None, "---\n"),
        ("---\na: 1\nnever closed\n", None, "---\na: 1\nnever closed\n"),
        ("\n---\na: 1\n---\n", None, "\n---\na: 1\n---\n"),
        ("----\na: 1\n---\n", None, "----\na: 1\n---\n"),
        ("---\na: 1\n----\n", None, "---\na: 1\n----\n"),
    ],
)
def test_a_text_is_parted(text: str, header: str | None, body: str) -> None:
    assert split(text) == (header, body)


@given(st.text(alphabet="-a: \r\n\ufeff", max_size=40))
def test_nothing_but_the_marks_is_lost(text: str) -> None:
    header, body = split(text)
    assert text.endswith(body)
    assert (header or "") in text
    if header is None:
        assert text.removeprefix("\ufeff") == body


def test_a_header_is_loaded() -> None:
    assert load("id: ISS-000001\r\nlabels:\r\n  - a\r\n") == {"id": "ISS-000001", "labels": ["a"]}
    assert load("") == load("# only a remark\n") == {}


def test_a_long_header_is_loaded() -> None:
    assert len(load("".join(f"key-{number}: [a, b]\n" for number in range(1000)))) == 1000


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("a: 1\nb: c: d\n", "not valid YAML, line 2: mapping values are not allowed"),
        ("a: [1, 2\n", "not valid YAML, line 2"),
        ("- a\n- b\n", "a list, not a mapping"),
        ("only words\n", "a str, not a mapping"),
        ("date: 2024-13-45\n", "not valid YAML: month must be in 1..12"),
        ("a: !!bool maybe\n", "not valid YAML"),
        ("a: !!timestamp soon\n", "not valid YAML"),
        (
            "a: !!python/object/apply:os.getcwd []\n",
            "not valid YAML, line 1: could not determine a constructor",
        ),
        ("a: \x00\n", "not valid YAML"),
        ("a: " + "[" * 100_000, "more than 200 levels"),
        ("- " * 100_000, "more than 200 levels"),
        ("? " * 100_000, "more than 200 levels"),
    ],
)
def test_what_cannot_be_loaded_is_unreadable(header: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words) as caught:
        load(header)
    assert len(str(caught.value)) < 200
