"""Whether a value fits a JSON schema in its structure: types, members and fixed values, but not limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["Fitting", "Node", "is_one_of", "kind_of"]

Node = Mapping[str, Any]
_RULES = frozenset({"type", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"})
_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def kind_of(value: Any) -> str:
    """Return the JSON type of a value."""
    return _KINDS.get(type(value), "null")


def is_one_of(value: Any, allowed: Iterable[Any]) -> bool:
    """True if a value is one of those allowed; true is not 1, and "1" is neither."""
    return any(type(value) is type(one) and value == one for one in allowed)


class Fitting:
    """Compares values with the nodes of one schema; remembers, because recursive schemas ask again."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._known: dict[tuple[int, int], tuple[Any, bool]] = {}

    def resolved(self, node: Node) -> Node:
        """Return the node that a reference leads to."""
        reference = node.get("$ref")
        if isinstance(reference, str):
            return self.resolved(self._definitions.get(reference.rpartition("/")[2], {}))
        return node

    def branches(self, node: Node) -> Sequence[Node]:
        """Return the alternatives of a union; none if it is not one."""
        found = node.get("anyOf") or node.get("oneOf") or ()
        return [self.resolved(branch) for branch in found]

    def admits_null(self, node: Node) -> bool:
        """True if null has a meaning here: the lean schema keeps "or null" only then."""
        node = self.resolved(node)
        if node.get("type") == "null" or None in node.get("enum", ()):
            return True
        if any(self.admits_null(branch) for branch in self.branches(node)):
            return True
        return bool(node) and not _RULES & node.keys()  # a value of any kind

    def is_alike(self, value: Any, node: Node) -> bool:
        """True if a value is an object where objects are expected, or a single value where those are."""
        branches = self.branches(node) or [node]
        expected = {"object" if branch.get("type") == "object" else "single" for branch in _single(branches)}
        return ("object" if isinstance(value, dict) else "single") in expected

    def fits(self, value: Any, node: Node) -> bool:
        """True if a value has the structure that a node describes."""
        key = (id(value), id(node))
        if key not in self._known:
            self._known[key] = (value, self._fits(value, self.resolved(node)))  # with the value: its id stays
        return self._known[key][1]

    def _fits(self, value: Any, node: Node) -> bool:
        branches = self.branches(node)
        if branches:
            return any(self.fits(value, branch) for branch in branches)
        if "enum" in node or "const" in node:
            return is_one_of(value, node["enum"] if "enum" in node else [node["const"]])
        kind, found = node.get("type"), kind_of(value)
        if kind is None:
            return True
        if kind != found and (kind, found) != ("number", "integer"):
            return False
        if kind == "array":
            return self._fits_list(value, node)
        return kind != "object" or self._fits_object(value, node)

    def _fits_list(self, value: list[Any], node: Node) -> bool:
        first: Sequence[Node] = node.get("prefixItems", ())
        if len(value) < len(first) or (first and len(value) > len(first) and "items" not in node):
            return False
        rest = node.get("items", {})
        return all(
            self.fits(one, first[place] if place < len(first) else rest) for place, one in enumerate(value)
        )

    def _fits_object(self, value: dict[str, Any], node: Node) -> bool:
        properties, others = node.get("properties", {}), node.get("additionalProperties")
        if not properties and not isinstance(others, Mapping):
            return True
        if any(name not in value for name in node.get("required", ())):
            return False
        inner = {name: properties.get(name, others) for name in value}
        return all(isinstance(one, Mapping) and self.fits(value[name], one) for name, one in inner.items())


def _single(branches: Iterable[Node]) -> list[Node]:
    """Return the branches for a value that is not a list, null or of any kind."""
    return [
        branch
        for branch in branches
        if branch.get("type") not in ("array", "null") and (_RULES & branch.keys())
    ]
