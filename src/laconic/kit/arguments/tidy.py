"""Arguments as models send them, converted to the form the schema requires.

Only if the meaning is clear: a null is left out, "10" becomes a number where only a number fits, 10 becomes
"10" where only text fits, JSON inside a string is parsed, and a single value becomes a list of one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["tidy"]


_KINDS = frozenset({"type", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"})


def tidy(raw: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of one call in the form the schema requires."""
    properties = schema.get("properties", {})
    definitions = schema.get("$defs", {})
    tidied: dict[str, Any] = {}
    for key, value in raw.items():
        node = properties.get(key, {})
        if node.get("type") == "string" and value is not None:
            tidied[key] = _text(value)  # text is always a string
        elif value is not None or _admits_null(node):
            tidied[key] = _value(value, _resolved(node, definitions), definitions)
    return tidied


def _resolved(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = node.get("$ref")
    if isinstance(reference, str):
        found: Mapping[str, Any] = definitions.get(reference.rsplit("/", 1)[1], {})
        return found
    return node


def _admits_null(node: Mapping[str, Any]) -> bool:
    """True if null has a meaning here: the lean schema keeps "or null" only then."""
    if node.get("type") == "null" or {"type": "null"} in node.get("anyOf", ()):
        return True
    return bool(node) and not _KINDS & node.keys()  # a value of any kind


def _value(value: Any, node: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    kind = node.get("type")
    if kind == "string":
        return _text(value)
    if isinstance(value, str) and kind in ("integer", "number", "boolean", "array", "object"):
        value = _unpacked(value, kind)
    if isinstance(value, float) and kind == "integer" and value.is_integer():
        return int(value)
    if kind == "array":
        return _listed(value, _resolved(node.get("items", {}), definitions), definitions)
    if kind == "object" and isinstance(value, dict) and node.get("properties"):
        return tidy(value, {**node, "$defs": definitions})
    return value


def _text(value: Any) -> Any:
    """Return a whole number as text: most often it is an id."""
    return str(value) if type(value) is int else value


def _unpacked(value: str, kind: str) -> Any:
    """Parse JSON inside a string, if it has the expected type."""
    try:
        inner = json.loads(value)
    except ValueError:
        return value
    kinds = {"integer": (int, float), "number": (int, float), "boolean": bool, "array": list, "object": dict}
    wanted = kinds[kind]
    if isinstance(inner, bool) and kind != "boolean":
        return value
    return inner if isinstance(inner, wanted) else value  # type: ignore[arg-type]  # a type or a tuple of them


def _listed(value: Any, item: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_value(one, item, definitions) for one in value]
    is_scalar = isinstance(value, str | int | float) and item.get("type") in ("string", "integer", "number")
    return [_value(value, item, definitions)] if is_scalar else value
