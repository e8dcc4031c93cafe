"""Lean schemas: JSON schemas without the words a model does not need.

Dropping a word only widens what the listed schema accepts: the validator still refuses, and its error tells
what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["lean", "references", "type_name"]

_EMPTY: tuple[Any, ...] = (None, False, "", [], {})


def lean(schema: dict[str, Any], *, longest: int, with_unlisted: bool = False) -> dict[str, Any]:
    """Drop titles, "or null" unions, empty defaults and obvious limits; normally what is unlisted, too."""
    definitions = schema.get("$defs", {})
    recursive = {name for name in definitions if _reaches(name, name, definitions, set())}
    slimmer = _Slimmer(definitions, recursive, longest, with_unlisted)
    slim = slimmer.node(schema)
    slim.pop("$defs", None)
    slim.pop("description", None)  # the tool has its own
    if recursive:
        slim["$defs"] = {name: slimmer.node(definitions[name]) for name in sorted(recursive)}
    slim.setdefault("properties", {})
    return slim


def _reaches(start: str, name: str, definitions: dict[str, Any], seen: set[str]) -> bool:
    for other in references(definitions.get(name, {})):
        if other == start:
            return True
        if other not in seen:
            seen.add(other)
            if _reaches(start, other, definitions, seen):
                return True
    return False


def type_name(node: Mapping[str, Any]) -> str:
    """Return the name of the type that a node refers to, `Place` or `#/$defs/Place`."""
    return str(node["$ref"]).rpartition("/")[2]


def references(node: Any) -> list[str]:
    """Return the names of the types that a node uses, once for each use."""
    if isinstance(node, Mapping):
        own = [type_name(node)] if isinstance(node.get("$ref"), str) else []
        return own + [name for value in node.values() for name in references(value)]
    if isinstance(node, list):
        return [name for value in node for name in references(value)]
    return []


class _Slimmer:
    def __init__(
        self, definitions: dict[str, Any], recursive: set[str], longest: int, with_unlisted: bool
    ) -> None:
        self._definitions = definitions
        self._recursive = recursive
        self._longest = longest
        self._with_unlisted = with_unlisted

    def node(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = self._resolved(schema)
        slim: dict[str, Any] = {}
        for key, value in schema.items():
            if not self._needless(key, value):
                slim[key] = self._value(key, value)
        if slim.get("properties") == {}:
            del slim["properties"]  # all of them are unlisted
        if "default" in schema and schema["default"] is None:
            slim = self._without_null(slim)
        return slim | {"default": schema["x-default"]} if "x-default" in schema else slim

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        name = type_name(schema)
        if name in self._recursive:
            return schema
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        inner = {key: value for key, value in self._definitions[name].items() if key != "description"}
        return self._resolved({**inner, **beside})

    def _needless(self, key: str, value: Any) -> bool:
        if key == "title" and isinstance(value, str):
            return True
        if key == "default":
            return value in _EMPTY
        if key == "additionalProperties":
            return isinstance(value, bool)
        if key in ("minimum", "minLength", "minItems"):
            return value in (0, 1)
        if key == "exclusiveMinimum":
            return bool(value == 0)
        if key == "maxLength":
            return bool(value >= self._longest)
        if key == "x-commas":
            return not self._with_unlisted
        return key in ("discriminator", "$defs", "x-unlisted", "x-default")

    def _value(self, key: str, value: Any) -> Any:
        if key == "properties":
            listed = {
                name: node
                for name, node in value.items()
                if self._with_unlisted or not node.get("x-unlisted")
            }
            return {name: self.node(node) for name, node in listed.items()}
        if key in ("items", "additionalProperties") and isinstance(value, dict):
            return self.node(value)
        if key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            return [self.node(node) for node in value]
        return value

    def _without_null(self, schema: dict[str, Any]) -> dict[str, Any]:
        branches = schema.get("anyOf")
        if not branches or {"type": "null"} not in branches:
            return schema
        others = [branch for branch in branches if branch != {"type": "null"}]
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return {**others[0], **rest} if len(others) == 1 else {"anyOf": others, **rest}
