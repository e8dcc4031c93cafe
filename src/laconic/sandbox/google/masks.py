"""Masks: the parameter `fields`, which says what an answer has; an unknown path is an error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from laconic.sandbox.google.refusals import GoogleRefusal

__all__ = ["masked"]

Tree = dict[str, Any]
_TOKEN = re.compile(r"[\w*$@-]+|[(),/.]")


def masked(data: Any, mask: str, node: Mapping[str, Any], types: Mapping[str, Any]) -> Any:
    """Return the part of an answer that a mask names."""
    tree = _parsed(mask)
    _check(tree, node, types, mask)
    return _cut(data, tree)


def _parsed(mask: str) -> Tree:
    tokens = _TOKEN.findall(mask)
    if "".join(tokens) != "".join(mask.split()) or not tokens:
        raise _invalid(mask)
    tree, rest = _fields(tokens, mask)
    if rest:
        raise _invalid(mask)
    return tree


def _fields(tokens: list[str], mask: str) -> tuple[Tree, list[str]]:
    tree: Tree = {}
    while True:
        tokens = _path(tokens, tree, mask)
        if not tokens or tokens[0] != ",":
            return tree, tokens
        tokens = tokens[1:]


def _path(tokens: list[str], tree: Tree, mask: str) -> list[str]:
    if not tokens or tokens[0] in "(),/.":
        raise _invalid(mask)
    inner: Tree = tree.setdefault(tokens[0], {})
    tokens = tokens[1:]
    if tokens and tokens[0] in "/.":
        return _path(tokens[1:], inner, mask)
    if tokens and tokens[0] == "(":
        found, tokens = _fields(tokens[1:], mask)
        inner.update(found)
        if not tokens or tokens[0] != ")":
            raise _invalid(mask)
        return tokens[1:]
    return tokens


def _check(tree: Tree, node: Mapping[str, Any], types: Mapping[str, Any], mask: str) -> None:
    while "$ref" in node or "items" in node:
        node = types[node["$ref"]] if "$ref" in node else node["items"]
    known = node.get("properties")
    for name, inner in tree.items():
        if name == "*":
            continue
        if known is None or name not in known:
            if "additionalProperties" in node:
                continue
            raise _invalid(mask, name)
        _check(inner, known[name], types, mask)


def _cut(data: Any, tree: Tree) -> Any:
    if isinstance(data, list):
        return [_cut(one, tree) for one in data]
    if not tree or "*" in tree or not isinstance(data, dict):
        return data
    return {name: _cut(data[name], inner) for name, inner in tree.items() if name in data}


def _invalid(mask: str, name: str = "") -> GoogleRefusal:
    text = f"Invalid field selection {name or mask}"
    return GoogleRefusal(
        400,
        "invalidParameter",
        text if name else "Request contains an invalid argument.",
        location="fields",
        violations=[("fields", f"Error expanding 'fields' parameter. {text}")],
    )
