"""Fences: a file is split into header and body whatever its line ends, and joined again byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.stores.header.fences import Fenced


@pytest.mark.parametrize(
    ("text", "header", "body"),
    [
        ("---\na: 1\n---\nbody\n", "a: 1\n", "body\n"),
        ("---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n"),
        ("\ufeff---\na: 1\n---\nbody", "a: 1\n", "body"),
        ("---  \na: 1\n---\t\n\n\nbody", "a: 1\n", "\n\nbody"),
        ("---yaml\na: 1\n---\nbody", "a: 1\n", "body"),
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
def test_a_text_is_split_into_header_and_body(text: str, header: str | None, body: str) -> None:
    file = Fenced.of(text)

    assert (file.header if file.opening else None, file.body) == (header, body)


@given(st.text(alphabet="-a: \r\n\ufeff", max_size=40))
def test_no_byte_is_lost(text: str) -> None:
    file = Fenced.of(text)

    assert file.text() == text
    assert file.opening or file.mark + file.body == text
