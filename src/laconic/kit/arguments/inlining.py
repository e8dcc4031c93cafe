"""Inlined parameters: their own fields are at the top of the schema, and variants become one flat list."""

from __future__ import annotations

from typing import Any

__all__ = ["flatten", "lifted_names"]


def flatten(schema: dict[str, Any], wire: str) -> dict[str, Any]:
    """Move the fields of one parameter to the top; fields of only some variants become optional."""
    properties = dict(schema.get("properties", {}))
    inner = properties.pop(wire, {})
    variants = _variants(inner)
    required = [name for name in schema.get("required", ()) if name != wire]
    shared = set.intersection(*(set(variant.get("required", ())) for variant in variants))
    lifted = _lifted(variants)
    flat = {**schema, "properties": {**lifted, **properties}}
    flat["required"] = [name for name in lifted if name in shared] + required
    if not flat["required"]:
        del flat["required"]
    return flat


def lifted_names(node: dict[str, Any]) -> list[str]:
    """Return the names of the fields that move to the top."""
    return list(_lifted(_variants(node)))


def _variants(node: dict[str, Any]) -> list[dict[str, Any]]:
    return list(node.get("oneOf") or node.get("anyOf") or [node])


def _lifted(variants: list[dict[str, Any]]) -> dict[str, Any]:
    lifted: dict[str, Any] = {}
    for variant in variants:
        for name, node in variant.get("properties", {}).items():
            lifted[name] = _either(lifted.get(name), node)
    return lifted


def _either(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    if one is None or one == other:
        return other
    values = [*_values(one), *_values(other)]
    if values:
        return {"type": "string", "enum": values}
    same = {key: value for key, value in one.items() if other.get(key) == value}
    texts = dict.fromkeys(node["description"] for node in (one, other) if node.get("description"))
    return same | ({"description": " ".join(texts)} if texts else {})


def _values(node: dict[str, Any]) -> list[Any]:
    return list(node.get("enum", ())) or ([node["const"]] if "const" in node else [])
