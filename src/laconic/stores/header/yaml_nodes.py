"""A header read: its nodes with their places, and the values they stand for."""

from typing import Any, Final, Protocol

from laconic.stores.header.yaml_scalars import meaning, tagged


class YamlMark(Protocol):
    """A place in a header, all three counted from zero."""

    index: int
    line: int
    column: int


class YamlNode(Protocol):
    """What we use of a node of PyYAML: `id` is its kind, a plain `style` is empty or None."""

    id: str
    tag: str
    value: Any
    style: str | None  # of a scalar
    flow_style: bool | None  # of a list or mapping: written in brackets
    start_mark: YamlMark
    end_mark: YamlMark


BARE: Final = "bare"  # in the place of a tag: a plain scalar, whose meaning its letters tell
STRING: Final = "string"


def nodes_of(root: YamlNode | None) -> dict[str, YamlNode]:
    """Return the value of each key, still as a node; of a key that stands there twice the last one's."""
    return {key_of(key): value for key, value in root.value} if root else {}


def value_of(node: YamlNode | str) -> Any:
    """Build the value of a node: strings, whole numbers, true, false, null, lists and mappings.

    Dates, numbers with a fraction and all other scalars stay strings, unless a tag says `!!float`.
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
    """Return a key as it is written; a list or mapping for a key gets the name Python has for it."""
    return str(node.value if node.id == "scalar" else value_of(node))


def same(one: Any, other: Any) -> bool:
    """Say whether two values are alike, types included: true is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
