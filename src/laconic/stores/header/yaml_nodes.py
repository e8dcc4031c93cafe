"""The nodes of a parsed header, and the values they represent."""

from typing import Any, Final, Protocol

from laconic.stores.header.yaml_scalars import meaning, tagged


class YamlMark(Protocol):
    """A position in a header; all three count from zero."""

    index: int
    line: int
    column: int


class YamlNode(Protocol):
    """The part of a PyYAML node that we use: `id` is its kind, a plain `style` is empty or None."""

    id: str
    tag: str
    value: Any
    style: str | None  # of a scalar
    flow_style: bool | None  # of a list or mapping: written in brackets
    start_mark: YamlMark
    end_mark: YamlMark


BARE: Final = "bare"  # instead of a tag: a plain scalar, whose text decides its type
STRING: Final = "string"


def nodes_of(root: YamlNode | None) -> dict[str, YamlNode]:
    """Return the value node of each key; if a key occurs twice, the last one counts."""
    return {key_of(key): value for key, value in root.value} if root else {}


def value_of(node: YamlNode | str) -> Any:
    """Build the value of a node: strings, integers, true, false, null, lists and mappings.

    Dates, decimals and all other scalars stay strings, unless they have a tag such as `!!float`.
    Keys are strings as written. `<<` is a key like any other.
    """
    if isinstance(node, str):
        return node
    if node.id == "scalar":
        if node.tag is BARE:
            return meaning(node.value)
        return node.value if node.tag is STRING else tagged(node.tag, node.value)
    if node.id == "sequence":
        return [value_of(item) for item in node.value]
    return {key_of(key): value_of(value) for key, value in node.value}


def key_of(node: YamlNode) -> str:
    """Return a key as it is written; a list or mapping used as a key becomes its Python text."""
    return str(node.value if node.id == "scalar" else value_of(node))


def same(one: Any, other: Any) -> bool:
    """True if two values are equal, including their types: true is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
