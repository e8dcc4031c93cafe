"""The YAML parser: turns a header into nodes, within bounds that no file can exceed."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from laconic.stores.errors import Unreadable
from laconic.stores.header.yaml_nodes import BARE, STRING, YamlNode

MAX_LEVELS: Final = 200  # libyaml's binding recurses once per level and crashes some thousands of levels down
_MAX_VALUES: Final = 10_000  # a few aliases of aliases can expand to more values than fit in memory
_LEVEL_CHANGE: Final = {
    "SequenceStartEvent": 1,
    "MappingStartEvent": 1,
    "SequenceEndEvent": -1,
    "MappingEndEvent": -1,
}


def root_of(header: str, what: str = "header") -> YamlNode | None:
    """Parse a header, or another text, into nodes; None if it contains nothing but comments.

    Raises:
        Unreadable: it is not YAML, or YAML but not a mapping of names to values.
    """
    try:
        check_nesting(header)
        root: YamlNode | None = _parser()(header).get_single_node()
    except Unreadable:
        raise
    except Exception as error:  # not only YAMLError: odd scalars raise ValueError and others
        raise Unreadable(f"The {what} is not valid YAML{_location(error)}.") from error
    if root is not None and root.id != "mapping":
        raise Unreadable(f"The {what} is a {root.id}, not a mapping of names to values.")
    if root is not None and "*" in header:
        _check_aliases(root)
    return root


def check_nesting(header: str) -> None:
    """Refuse a header that is nested too deeply to be parsed safely.

    Raises:
        Unreadable: it has more than `MAX_LEVELS` levels.
    """
    if sum(map(header.count, "[{-?:")) <= MAX_LEVELS:  # each level of YAML takes one of these characters
        return
    import yaml

    level = 0
    for event in yaml.parse(header, Loader=_loader(yaml)):
        level += _LEVEL_CHANGE.get(type(event).__name__, 0)
        if level > MAX_LEVELS:
            raise Unreadable(f"The header is nested more than {MAX_LEVELS} levels deep.")


@cache
def _parser() -> Any:
    """Make the parser: libyaml without PyYAML's resolvers, which see dates and octal numbers in strings."""
    import yaml  # here: a server without files does not pay for it

    class Bare:
        def resolve(self, kind: type, _value: object, implicit: Any) -> str:
            return BARE if kind is yaml.ScalarNode and implicit[0] else STRING

        def descend_resolver(self, *_: object) -> None: ...

        def ascend_resolver(self) -> None: ...

    return type("Parser", (Bare, _loader(yaml)), {})


def _loader(yaml: Any) -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml reads about ten times as fast


def _location(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f", line {mark.line + 1}: {problem}" if mark else f": {problem}"


def _check_aliases(root: YamlNode) -> None:
    """Count all values with every alias followed; each node is counted once and its count used again."""
    counts: dict[int, int] = {}

    def count(node: YamlNode) -> int:
        known = counts.setdefault(id(node), -1)
        if known == -1:
            counts[id(node)] = 0
            known = counts[id(node)] = min(1 + sum(map(count, _inner(node))), _MAX_VALUES + 1)
        elif known == 0:
            raise Unreadable(f"The header has a value that contains itself, line {node.start_mark.line + 1}.")
        return known

    if count(root) > _MAX_VALUES:
        raise Unreadable(f"The header's aliases expand to more than {_MAX_VALUES:,} values.")


def _inner(node: YamlNode) -> Iterator[YamlNode]:
    if node.id == "sequence":
        yield from node.value
    elif node.id == "mapping":
        for key, value in node.value:
            yield key
            yield value
