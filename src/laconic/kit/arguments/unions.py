"""Unions: where a description has a list of types, as OpenAPI 3.1 does, this makes `anyOf` of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import is_
from typing import Any, Final
from weakref import WeakValueDictionary

from laconic.kit.arguments.fitting import Node

__all__ = ["unions_in", "unions_of"]

_OUTSIDE: Final = ("description", "default")  # said of the whole, not of each branch
_KNOWN: WeakValueDictionary[int, _Types] = WeakValueDictionary()  # by the id of what is in them


def _plain(node: Any) -> Any:
    """Return a node without lists of types, however deep; the same one if it has none."""
    if not isinstance(node, Mapping):
        return node
    found = dict(node)
    for key in ("items", "additionalProperties"):
        if key in node:
            found[key] = _plain(node[key])
    for key in ("anyOf", "oneOf"):
        if key in node:
            found[key] = _each(node[key])
    if "properties" in node:
        found["properties"] = unions_in(node["properties"])
    kinds = node.get("type")
    if isinstance(kinds, list | tuple):
        return _union(found, [str(kind) for kind in kinds])
    return node if all(found[key] is node[key] for key in node) else found


def _each(branches: list[Any]) -> list[Any]:
    found = [_plain(branch) for branch in branches]
    return branches if all(map(is_, found, branches)) else found


def unions_in(nodes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return nodes by name without lists of types; the same ones if they have none."""
    found = {name: _plain(node) for name, node in nodes.items()}
    return nodes if all(found[name] is nodes[name] for name in nodes) else found


def _union(node: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    del node["type"]
    if "enum" in node or "const" in node:
        return node  # the values have their types
    if len(kinds) == 1:
        return {"type": kinds[0], **node}
    outside: dict[str, Any] = {key: node.pop(key) for key in _OUTSIDE if key in node}
    branches = [{"type": kind, **({} if kind == "null" else node)} for kind in kinds]
    return {"anyOf": branches, **outside}


class _Types(Mapping[str, Node]):
    """Types by name, each without lists of types when it is first asked for."""

    def __init__(self, given: Mapping[str, Node]) -> None:
        self._given = given
        self._known: dict[str, Node] = {}

    def __getitem__(self, name: str) -> Node:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = _plain(self._given[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


def unions_of(types: Mapping[str, Node]) -> Mapping[str, Node]:
    """Return types by name without lists of types; several hundred tools may share them."""
    found = _KNOWN.get(id(types))
    if found is None:
        found = _KNOWN[id(types)] = _Types(types)  # keeps them as long as itself: nothing else has their id
    return found
