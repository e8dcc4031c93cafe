"""Reading a header: its keys and values, or those that can be read, and what is wrong with it."""

from collections.abc import Mapping
from typing import NamedTuple

from laconic.stores.errors import Unreadable
from laconic.stores.header.fences import Fenced, HeaderProblem
from laconic.stores.header.yaml_nodes import YamlNode, key_of, nodes_of
from laconic.stores.header.yaml_parser import root_of
from laconic.stores.header.yaml_rescue import marker_line, rescue


class ParsedHeader(NamedTuple):
    """The value of every key that can be read: a node, or the text if it is not YAML."""

    nodes: Mapping[str, YamlNode | str]
    root: YamlNode | None = None
    problem: HeaderProblem | None = None
    is_broken: bool = False


def read(file: Fenced) -> ParsedHeader:
    """Read a header without ever raising."""
    marker = marker_line(file.header)
    wrong = file.problem()
    if marker:
        wrong = HeaderProblem("conflict", f"The header contains a conflict marker, line {marker}.")
    root = None
    try:
        root = None if wrong else root_of(file.header)
    except Unreadable as error:
        wrong = HeaderProblem("invalid", str(error))
    return ParsedHeader(rescue(file.header), problem=wrong, is_broken=True) if wrong else _whole(root)


def _whole(root: YamlNode | None) -> ParsedHeader:
    nodes = nodes_of(root)
    keys = [key_of(key) for key, _ in root.value] if root else []
    twice = [key for key in nodes if keys.count(key) > 1] if len(nodes) < len(keys) else []
    if not twice:
        return ParsedHeader(nodes, root)
    sentence = f"The header names {twice[0]} twice; the last one counts."
    return ParsedHeader(nodes, root, HeaderProblem("repeated", sentence))
