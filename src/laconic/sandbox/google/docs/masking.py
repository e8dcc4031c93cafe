"""Masking: the parameter `fields` of a request that changes a style names what is set, or reset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from laconic.sandbox.google.refusals import bad_request
from laconic.sandbox.google.routing import description_of

__all__ = ["field_paths", "masked_style"]

Row = dict[str, Any]


def field_paths(fields: str, kind: str) -> list[list[str]]:
    """Return the paths that a mask names in a type of the API.

    Raises:
        GoogleRefusal: it names nothing, or something that the type does not have.
    """
    types = description_of("docs")["types"]
    if not fields.strip():
        raise bad_request("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    if fields.strip() == "*":
        return [[name] for name in types[kind]["properties"]]
    found = []
    for path in fields.split(","):
        names = [_camel(name) for name in path.strip().split(".")]
        node: Mapping[str, Any] = types[kind]
        for name in names:
            if name not in node.get("properties", {}):
                raise bad_request(f"Invalid field: {path.strip()}")
            node = node["properties"][name]
            node = types[node["$ref"]] if "$ref" in node else node
        found.append(names)
    return found


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)


def masked_style(old: Mapping[str, Any], new: Mapping[str, Any], paths: list[list[str]]) -> Row:
    """Return a style in which the named fields are those of another; what that does not have is reset."""
    found = dict(old)
    for name, *rest in paths:
        if rest:
            inner = masked_style(found.get(name, {}), new.get(name, {}), [rest])
            found[name] = inner
            if not inner:
                del found[name]
        elif name in new:
            found[name] = new[name]
        else:
            found.pop(name, None)
    return found
