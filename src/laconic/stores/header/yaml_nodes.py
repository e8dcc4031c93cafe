"""A header read: its nodes with their places, and the values they stand for."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Protocol

from laconic.stores.errors import Unreadable

# one guard against deep nesting and one wording of errors for both readers of headers
from laconic.stores.frontmatter import _MOST_LEVELS, _check_levels, _levels_at_most, _place
from laconic.stores.header.yaml_scalars import meaning, tagged


class Mark(Protocol):
    """A place in a header, all three counted from zero."""

    index: int
    line: int
    column: int


class Node(Protocol):
    """What we use of a node of PyYAML: `id` is its kind, a plain `style` is empty or None."""

    id: str
    tag: str
    value: Any
    style: str | None  # of a scalar
    flow_style: bool | None  # of a list or mapping: written in brackets
    start_mark: Mark
    end_mark: Mark


_MOST_NODES: Final = 10_000  # a few aliases of aliases can stand for more values than memory holds
_BARE: Final = "bare"  # in the place of a tag: a plain scalar, whose meaning its letters tell
_STRING: Final = "string"


def root_of(header: str) -> Node | None:
    """Read a header into nodes; None if there is nothing but comments.

    Raises:
        Unreadable: it is not YAML, or YAML but not a mapping of names to values.
    """
    import yaml  # here: a server without files does not pay for it

    try:
        if _levels_at_most(header) > _MOST_LEVELS:
            _check_levels(yaml.parse(header, Loader=_loader(yaml)))
        root: Node | None = _parser()(header).get_single_node()
    except Unreadable:
        raise
    except Exception as error:  # not only YAMLError, see frontmatter.load
        raise Unreadable(f"The header is not valid YAML{_place(error)}.") from error
    if root is not None and root.id != "mapping":
        raise Unreadable(f"The header is a {root.id}, not a mapping of names to values.")
    if root is not None and "*" in header:
        _check_size(root)
    return root


def nodes_of(root: Node | None) -> dict[str, Node]:
    """Return the value of each key, still as a node; of a key that stands there twice the last one's."""
    return {key_of(key): value for key, value in root.value} if root else {}


def value_of(node: Node | str) -> Any:
    """Build the value of a node: strings, whole numbers, true, false, null, lists and mappings.

    Dates, numbers with a fraction and all other scalars stay strings, unless a tag says `!!float`.
    Keys are strings as written. `<<` is a key like any other.
    """
    if isinstance(node, str):
        return node
    if node.id == "scalar":
        if node.tag is _BARE:
            return meaning(node.value)
        return node.value if node.tag is _STRING else tagged(node.tag, node.value)
    if node.id == "sequence":
        return [value_of(item) for item in node.value]
    return {key_of(key): value_of(value) for key, value in node.value}


def key_of(node: Node) -> str:
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


@cache
def _parser() -> Any:
    """Make the parser: libyaml without PyYAML's resolvers, which see dates and octal numbers in strings."""
    import yaml

    class Bare:
        def resolve(self, kind: type, _value: object, implicit: Any) -> str:
            return _BARE if kind is yaml.ScalarNode and implicit[0] else _STRING

        def descend_resolver(self, *_: object) -> None: ...

        def ascend_resolver(self) -> None: ...

    return type("Parser", (Bare, _loader(yaml)), {})


def _loader(yaml: Any) -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml reads about ten times as fast


def _check_size(root: Node) -> None:
    """Count all values with every alias followed; each node is counted once and its count used again."""
    counts: dict[int, int] = {}

    def count(node: Node) -> int:
        known = counts.setdefault(id(node), -1)
        if known == -1:
            counts[id(node)] = 0
            known = counts[id(node)] = min(1 + sum(map(count, _inner(node))), _MOST_NODES + 1)
        elif known == 0:
            raise Unreadable(f"The header has a value that holds itself, line {node.start_mark.line + 1}.")
        return known

    if count(root) > _MOST_NODES:
        raise Unreadable(f"The header's aliases stand for more than {_MOST_NODES:,} values.")


def _inner(node: Node) -> Iterator[Node]:
    if node.id == "sequence":
        yield from node.value
    elif node.id == "mapping":
        for key, value in node.value:
            yield key
            yield value
