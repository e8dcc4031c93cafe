"""The operations of Docs, Sheets, Slides and Drive as data, from Google's own descriptions of these APIs."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

Node = dict[str, Any]
APIS = ("docs.v1", "sheets.v4", "slides.v1", "drive.v3")
_FOLDER = files("googleapiclient") / "discovery_cache" / "documents"
_KEPT = ("type", "enum", "$ref", "pattern")


class Operation(NamedTuple):
    """What an operation is called and takes, and the types of its API."""

    name: str
    effect: str
    properties: dict[str, Node]
    required: list[str]
    types: Mapping[str, Node]


@cache
def operations() -> list[Operation]:
    """Return the methods of the APIs, and the kinds of request that their batches take."""
    return [operation for api in APIS for operation in _of(api)]


def _of(api: str) -> Iterator[Operation]:
    described = json.loads((_FOLDER / f"{api}.json").read_text(encoding="utf-8"))
    types = {name: _node(node) for name, node in described["schemas"].items()}
    short = api.partition(".")[0]
    yield from _methods(short, described, types)
    for name, node in types.get("Request", {}).get("properties", {}).items():
        inner = types[node["$ref"]].get("properties", {})
        yield Operation(
            f"{short}_{name}", "update", {"fileId": {"type": "string"}, **inner}, ["fileId"], types
        )


def _methods(path: str, resource: Node, types: Mapping[str, Node]) -> Iterator[Operation]:
    for name, method in resource.get("methods", {}).items():
        given = method.get("parameters", {})
        own = {key: _repeated(node) for key, node in given.items()}
        body = types[method["request"]["$ref"]].get("properties", {}) if "request" in method else {}
        effect = {"GET": "read", "DELETE": "delete"}.get(method["httpMethod"], "update")
        required = [key for key, node in given.items() if node.get("required")]
        yield Operation(f"{path}_{name}", effect, {**body, **own}, required, types)
    for name, inner in resource.get("resources", {}).items():
        yield from _methods(f"{path}_{name}", inner, types)


def _repeated(node: Node) -> Node:
    return {"type": "array", "items": _node(node)} if node.get("repeated") else _node(node)


def _node(node: Node) -> Node:
    found = {key: node[key] for key in _KEPT if key in node and node[key] != "any"}
    found |= {key: _node(node[key]) for key in ("items", "additionalProperties") if key in node}
    if "properties" in node:
        found["properties"] = {name: _node(inner) for name, inner in node["properties"].items()}
    return found
