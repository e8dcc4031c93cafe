"""Operations of an API, from the description that Google publishes: names, types, limits, never its prose."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

Node = dict[str, Any]
APIS = {"drive": "drive.v3", "docs": "docs.v1", "sheets": "sheets.v4", "slides": "slides.v1"}
LEFT_OUT = ("drive.teamdrives.",)  # retired
_ROOTS = ("documents", "spreadsheets", "presentations")  # not part of a name: each has one of them
_KEPT = ("type", "enum", "$ref", "pattern", "format", "minimum", "maximum")
_SCOPES = "https://www.googleapis.com/auth/"


def description_of(api: str) -> Node:
    """Return the description of an API, as the development dependency has it."""
    folder = files("googleapiclient") / "discovery_cache" / "documents"
    found: Node = json.loads((folder / f"{APIS[api]}.json").read_text(encoding="utf-8"))
    return found


def operations_of(api: str, described: Mapping[str, Any]) -> Iterator[tuple[str, Node]]:
    """Yield the operations of an API by their names: its methods, and the requests that a batch takes."""
    before = described["servicePath"]
    for path, method in _methods((), described):
        if method["id"].startswith(LEFT_OUT):
            continue
        found = _method(method, before)
        if path[-1] == "batchUpdate" and len(path) == 2:
            yield from _requests(api, described["schemas"], found)
        else:
            yield "_".join([api, *(part for part in path if part not in _ROOTS)]), found


def types_of(described: Mapping[str, Any]) -> dict[str, Node]:
    """Return the types of an API."""
    return {name: _node(node) for name, node in described["schemas"].items()}


def _methods(path: tuple[str, ...], resource: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Node]]:
    for name, method in resource.get("methods", {}).items():
        yield (*path, name), method
    for name, inner in resource.get("resources", {}).items():
        yield from _methods((*path, name), inner)


def _method(method: Node, before: str) -> Node:
    given = {name: node for name, node in method.get("parameters", {}).items() if not node.get("deprecated")}
    found: Node = {
        "id": method["id"],
        "method": method["httpMethod"],
        "path": before + method["path"].replace("{+", "{"),
        "parameters": {name: _parameter(node) for name, node in given.items()},
        "required": [name for name, node in given.items() if node.get("required")],
    }
    for key in ("request", "response"):
        if key in method:
            found[key] = method[key]["$ref"]
    found["scopes"] = [scope.removeprefix(_SCOPES) for scope in method.get("scopes", [])]
    if "mediaUpload" in method:
        found["upload"] = method["mediaUpload"]["protocols"]["simple"]["path"].lstrip("/")
    if method.get("supportsMediaDownload"):
        found["download"] = True
    return found


def _requests(api: str, schemas: Mapping[str, Any], batch: Node) -> Iterator[tuple[str, Node]]:
    """Yield one operation per kind of request: a batch of this one request."""
    replies = schemas.get("Response", {}).get("properties", {})
    control = schemas[batch["request"]]["properties"].get("writeControl", {}).get("$ref")
    for kind, node in schemas["Request"]["properties"].items():
        found = {**batch, "id": f"{batch['id']}#{kind}", "kind": kind, "request": node["$ref"]}
        del found["response"]
        if kind in replies:
            found["response"] = replies[kind]["$ref"]
        yield f"{api}_{kind}", {**found, **({"control": control} if control else {})}


def _parameter(node: Node) -> Node:
    found = _node(node)
    found |= {key: int(found[key]) for key in ("minimum", "maximum") if key in found}
    if node.get("repeated"):
        found = {"type": "array", "items": found}
    return {**found, "in": node["location"]}


def _node(node: Node) -> Node:
    found = {key: node[key] for key in _KEPT if key in node and node[key] != "any"}
    found |= {key: _node(node[key]) for key in ("items", "additionalProperties") if key in node}
    found |= {key: True for key in ("readOnly", "deprecated") if node.get(key)}
    if str(node.get("description", "")).startswith("Output only"):
        found["readOnly"] = True
    if "properties" in node:
        found["properties"] = {name: _node(inner) for name, inner in node["properties"].items()}
    return found
