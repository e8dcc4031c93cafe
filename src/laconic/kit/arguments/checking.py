"""Checking values against a described schema: every problem in one sentence, with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from laconic.kit.arguments.fitting import Fitting, Node, is_one_of, kind_of
from laconic.kit.arguments.problems import enum_problem, expected, nearest_name, unknown_argument
from laconic.kit.arguments.told import first_problems
from laconic.kit.errors import Problem
from laconic.kit.errors.words import clean, show, spelled

__all__ = ["Checker"]


class Checker:
    """Checks values against the nodes of one schema, whose `$defs` may refer to each other."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._fitting = Fitting(root.get("$defs", {}))

    def problems(self, given: Mapping[str, Any]) -> list[Problem]:
        """Return what is wrong with the arguments of one call."""
        return first_problems(self._members(dict(given), self._root, ""))

    def _value(self, value: Any, node: Node, path: str) -> Iterator[Problem]:
        node = self._fitting.resolved(node)
        branches = self._fitting.branches(node)
        if branches:
            yield from self._either(value, node, branches, path)
        elif "enum" in node or "const" in node:
            yield from self._chosen(value, node, path)
        elif not self._is_kind(value, node) or not _is_within(value, node):
            yield self._invalid(value, node, path)
        elif isinstance(value, dict):
            yield from self._members(value, node, path)
        elif isinstance(value, list):
            for place, one in enumerate(value):
                yield from self._value(one, node.get("items", {}), f"{path}[{place}]")

    def _either(self, value: Any, node: Node, branches: Any, path: str) -> Iterator[Problem]:
        found = [list(self._value(value, branch, path)) for branch in branches]
        if not all(found):
            return
        alike = [
            problems
            for problems, branch in zip(found, branches, strict=True)
            if "type" in branch and self._is_kind(value, branch)
        ]
        yield from alike[0] if len(alike) == 1 else [self._invalid(value, node, path)]

    def _chosen(self, value: Any, node: Node, path: str) -> Iterator[Problem]:
        allowed = node["enum"] if "enum" in node else [node["const"]]
        if not is_one_of(value, allowed):
            yield enum_problem(path, value, [spelled(one) for one in allowed])

    def _is_kind(self, value: Any, node: Node) -> bool:
        kind, found = node.get("type"), kind_of(value)
        return kind is None or kind == found or (kind, found) == ("number", "integer")

    def _invalid(self, value: Any, node: Node, path: str) -> Problem:
        wanted = expected(node, self._root, is_long=True)
        return Problem(path, f"Invalid {path} {show(value)}. Expected: {wanted}.", value)

    def _members(self, value: dict[str, Any], node: Node, path: str) -> Iterator[Problem]:
        properties: Mapping[str, Node] = node.get("properties", {})
        others = node.get("additionalProperties", not properties)
        for name in node.get("required", ()):
            if name not in value:
                place = _inside(path, name)
                yield Problem(place, f"Missing {place}: {expected(properties.get(name, {}), self._root)}.")
        for name, one in value.items():
            place = _inside(path, name)
            if name in properties:
                yield from self._value(one, properties[name], place)
            elif isinstance(others, Mapping):
                yield from self._value(one, others, place)
            elif not others:
                known = list(properties)
                yield unknown_argument(place, nearest_name(name, known), known, one)


def _inside(path: str, name: str) -> str:
    name = clean(name[:80])
    return f"{path}.{name}" if path else name


def _is_within(value: Any, node: Node) -> bool:
    """True if a value of the right type keeps the limits of its node."""
    if isinstance(value, str):
        is_long_enough = node.get("minLength", 0) <= len(value) <= node.get("maxLength", len(value))
        return is_long_enough and ("pattern" not in node or bool(re.search(node["pattern"], value)))
    if isinstance(value, list):
        return bool(node.get("minItems", 0) <= len(value) <= node.get("maxItems", len(value)))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(
            node.get("minimum", value) <= value <= node.get("maximum", value)
            and ("exclusiveMinimum" not in node or value > node["exclusiveMinimum"])
            and ("exclusiveMaximum" not in node or value < node["exclusiveMaximum"])
        )
    return True
