"""Checking: whether JSON fits a type of the API's own description, in requests and in answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["problems"]

Types = Mapping[str, Mapping[str, Any]]
_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}  # what JSON values are in Python


def problems(value: Any, node: Mapping[str, Any], types: Types, path: str) -> Iterator[tuple[str, str]]:
    """Yield what does not fit: where it is, and what is wrong in Google's words."""
    if "$ref" in node:
        node = types[node["$ref"]]
    kind = node.get("type")
    if kind is None or value is None:
        return
    if kind == "string" and node.get("format") in ("int64", "uint64") and isinstance(value, int | str):
        return
    is_number = isinstance(value, bool) and kind in ("integer", "number")
    if is_number or not _is_a(value, kind):
        yield path, f"Invalid value at '{path}' ({kind}), {value!r:.60}"
    elif kind == "string":
        if "enum" in node and value not in node["enum"]:
            yield path, f"Invalid value at '{path}' ({'|'.join(node['enum'][:3])}…), \"{value[:60]}\""
    elif kind == "array":
        for place, one in enumerate(value):
            yield from problems(one, node.get("items", {}), types, f"{path}[{place}]")
    elif kind == "object":
        yield from _members(value, node, types, path)


def _is_a(value: Any, kind: str) -> bool:
    return isinstance(value, _KINDS[kind])


def _members(
    value: dict[str, Any], node: Mapping[str, Any], types: Types, path: str
) -> Iterator[tuple[str, str]]:
    known, others = node.get("properties", {}), node.get("additionalProperties")
    for name, inner in value.items():
        where = f"{path}.{name}" if path else name
        if name in known:
            yield from problems(inner, known[name], types, where)
        elif others is not None:
            yield from problems(inner, others, types, where)
        elif known:
            yield (
                where,
                f"Invalid JSON payload received. Unknown name \"{name}\" at '{path}': Cannot find field.",
            )
