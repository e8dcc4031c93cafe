"""The YAML parser: a header becomes nodes, or one sentence says why it cannot be read."""

import pytest

from laconic.stores import Unreadable
from laconic.stores.header.yaml_nodes import nodes_of, value_of
from laconic.stores.header.yaml_parser import MAX_LEVELS, root_of


def test_a_header_is_parsed() -> None:
    root = root_of("id: ISS-000001\r\nlabels:\r\n  - a\r\n")

    assert root is not None
    assert value_of(root) == {"id": "ISS-000001", "labels": ["a"]}
    assert root_of("") is root_of("# only a comment\n") is None


def test_a_long_header_is_parsed() -> None:
    assert len(nodes_of(root_of("".join(f"key-{number}: [a, b]\n" for number in range(1000))))) == 1000


def test_a_header_may_be_nested_as_deeply_as_the_limit() -> None:
    inner = MAX_LEVELS - 1  # the header itself is the first level

    assert root_of("b: 1\na: " + "[" * inner + "]" * inner) is not None
    with pytest.raises(Unreadable, match=f"more than {MAX_LEVELS} levels"):
        root_of("a: " + "[" * MAX_LEVELS + "]" * MAX_LEVELS)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("a: 1\nb: c: d\n", "not valid YAML, line 2: mapping values are not allowed"),
        ("a: [1, 2\n", "not valid YAML, line 2"),
        ("- a\n- b\n", "a sequence, not a mapping"),
        ("only words\n", "a scalar, not a mapping"),
        ("a: \x00\n", "not valid YAML"),
        ("a: " + "[" * 100_000, f"more than {MAX_LEVELS} levels"),
        ("- " * 100_000, f"more than {MAX_LEVELS} levels"),
        ("? " * 100_000, f"more than {MAX_LEVELS} levels"),
        ("a: &a [*a]\n", "contains itself, line 1"),
    ],
)
def test_what_cannot_be_parsed_is_unreadable(header: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words) as caught:
        root_of(header)
    assert len(str(caught.value)) < 200
