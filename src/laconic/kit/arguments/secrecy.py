"""Secret arguments: which of them a schema marks as secrets, so that nobody keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laconic.kit.arguments.lean import type_name

__all__ = ["secret_names"]


def secret_names(schema: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the arguments that are secrets, or contain one at any depth."""
    types = schema.get("$defs", {})
    properties = schema.get("properties", {}).items()
    return frozenset(name for name, node in properties if any(map(_is_secret, _nodes(node, types))))


def _is_secret(node: Mapping[str, Any]) -> bool:
    return node.get("writeOnly") is True or node.get("format") == "password"


def _nodes(node: Any, types: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a node and everything inside it, with the types that it refers to; each of them once."""
    waiting, seen = [node], set[str]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            yield one
            waiting += one.values()
            if isinstance(one.get("$ref"), str) and (name := type_name(one)) not in seen:
                seen.add(name)
                waiting.append(types.get(name))
        elif isinstance(one, list):
            waiting += one
