"""Routing: which operation a request is for, by the catalogue's data, and whether its arguments fit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import unquote

from laconic.sandbox.google.checking import problems
from laconic.sandbox.google.refusals import GoogleRefusal

__all__ = ["APIS", "Route", "checked_body", "checked_query", "description_of", "route_of"]

APIS: Final = ("drive", "docs", "sheets", "slides")
_STANDARD: Final = ("fields", "alt", "uploadType", "prettyPrint", "key", "quotaUser", "upload_id")
_PREFIXES: Final = {
    "drive/": "drive",
    "v4/spreadsheets": "sheets",
    "v1/documents": "docs",
    "v1/pres": "slides",
}


@dataclass(frozen=True)
class Route:
    """An operation that a request is for, and the variables of its path."""

    api: str
    name: str  # empty: a batch of requests
    facts: Mapping[str, Any]
    variables: Mapping[str, str]


@cache
def description_of(api: str) -> Mapping[str, Any]:
    """Return the data of an API."""
    path = files("laconic.servers.google") / "catalogue" / "data" / f"{api}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def _routes(api: str) -> list[tuple[str, re.Pattern[str], str, Mapping[str, Any]]]:
    found: dict[tuple[str, str], tuple[str, Mapping[str, Any]]] = {}
    for name, facts in description_of(api)["operations"].items():
        own = "" if "kind" in facts else name
        found.setdefault((facts["method"], facts["path"]), (own, facts))
    ordered = sorted(found.items(), key=lambda one: one[0][1].count("{"))  # fixed names before variables
    return [(method, _pattern(path), name, facts) for (method, path), (name, facts) in ordered]


def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", path)
    written = [f"(?P<{part}>[^/]+)" if place % 2 else re.escape(part) for place, part in enumerate(parts)]
    return re.compile("".join(written))


def route_of(method: str, raw_path: str) -> Route:
    """Return the route of a request, by its path as it was sent.

    Raises:
        GoogleRefusal: there is no such address.
    """
    path = raw_path.lstrip("/").removeprefix("upload/")
    if method == "PUT" and path.startswith("drive/"):  # a chunk of an upload
        method = "PATCH" if path.count("/") > 2 else "POST"
    api = next((api for start, api in _PREFIXES.items() if path.startswith(start)), "")
    for verb, pattern, name, facts in _routes(api) if api else ():
        match = pattern.fullmatch(path) if verb == method else None
        if match:
            return Route(api, name, facts, {key: unquote(value) for key, value in match.groupdict().items()})
    raise GoogleRefusal(404, "notFound", "The requested URL was not found on this server.")


def checked_query(route: Route, query: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return the parameters of a request in their types.

    Raises:
        GoogleRefusal: one is unknown, or does not fit.
    """
    found: dict[str, Any] = dict(route.variables)
    for name, values in query.items():
        node = route.facts["parameters"].get(name)
        if node is None or node["in"] != "query":
            if name in _STANDARD:
                found[name] = values[-1]
                continue
            raise _invalid(
                f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter.', name
            )
        if node["type"] == "array":
            found[name] = [_typed(name, value, node["items"]) for value in values]
        else:
            found[name] = _typed(name, values[-1], node)
    return found


def _typed(name: str, value: str, node: Mapping[str, Any]) -> Any:
    kind = node["type"]
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    if kind == "integer" and re.fullmatch(r"-?\d+", value):
        number = int(value)
        if number < node.get("minimum", number) or number > node.get("maximum", number):
            raise _invalid(
                f"Invalid value '{value}'. Values must be within the range: "
                f"[{node.get('minimum')}, {node.get('maximum')}]",
                name,
            )
        return number
    if kind == "string" and value in node.get("enum", [value]):
        return value
    raise _invalid(f"Invalid value at '{name}', \"{value[:60]}\"", name)


def checked_body(route: Route, body: Any) -> dict[str, Any]:
    """Return the body of a request.

    Raises:
        GoogleRefusal: a field is unknown, or a value does not fit.
    """
    described = description_of(route.api)
    if route.name == "":
        name = next(
            name
            for name in described["types"]
            if name.startswith("BatchUpdate")
            and name.endswith("Request")
            and "requests" in described["types"][name].get("properties", {})
        )
    elif "request" in route.facts:
        name = route.facts["request"]
    else:
        return {}
    if not isinstance(body, dict):
        raise _invalid("Invalid JSON payload received. Expected an object.", "")
    found = list(problems(body, {"$ref": name}, described["types"], ""))
    if found:
        where, text = found[0]
        raise GoogleRefusal(400, "invalid", text, violations=[(where, text)])
    return body


def _invalid(message: str, where: str) -> GoogleRefusal:
    return GoogleRefusal(400, "invalidParameter", message, location=where, violations=[(where, message)])
