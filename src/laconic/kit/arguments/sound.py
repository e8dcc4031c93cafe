"""Arguments that are in the form the schema requires already, as in nearly every call: nothing to convert."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laconic.kit.arguments.fitting import Node

__all__ = ["are_sound", "sound_types"]

_TYPES: Final[Mapping[str, type]] = {"integer": int, "number": float, "boolean": bool}
_OTHER: Final = frozenset({"$ref", "anyOf", "oneOf", "enum", "const", "prefixItems"})


def sound_types(schema: Mapping[str, Any]) -> dict[str, type]:
    """Return, by name, the type of which every value stays as it is; of a list, if it has only texts."""
    found = {name: _type_of(node) for name, node in schema.get("properties", {}).items()}
    return {name: kind for name, kind in found.items() if kind is not None}


def _type_of(node: Node) -> type | None:
    kind = node.get("type")
    if kind == "string":
        return str
    if _OTHER & node.keys():
        return None
    if kind == "array":
        item = node.get("items", {})
        return list if item.get("type") == "string" and not _OTHER & item.keys() else None
    return _TYPES.get(str(kind))


def are_sound(raw: Mapping[str, Any], types: Mapping[str, type]) -> bool:
    """True if every argument has the type of which nothing is converted."""
    for name, value in raw.items():
        kind = type(value)
        if types.get(name) is not kind:
            return False
        if kind is list:
            for item in value:
                if type(item) is not str:
                    return False
    return True
