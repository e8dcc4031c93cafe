"""The files of the catalogue: an index of all operations in our words, and the facts of each API."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.cataloguing.discovery import APIS, description_of, operations_of, types_of

DATA = Path(__file__).parents[2] / "src" / "laconic" / "servers" / "google" / "catalogue" / "data"
OVERLAY = Path(__file__).parent / "overlay"
ALWAYS_SENT = ("supportsAllDrives", "includeItemsFromAllDrives")  # as true: shared drives are never left out
_EFFECTS = {"GET": "read", "DELETE": "delete"}
_CREATES = ("create", "insert", "add", "copy", "duplicate", "append", "start")
_DELETES = ("delete", "clear", "empty")


def contents() -> dict[str, str]:
    """Return the text of each file by its name."""
    found: dict[str, str] = {}
    index: dict[str, Any] = {}
    for api in APIS:
        described = description_of(api)
        overlay = overlay_of(api)
        operations = {
            overlay.get("names", {}).get(name, name): one for name, one in operations_of(api, described)
        }
        types = types_of(described)
        for name, fields in overlay.get("writable", {}).items():
            for field in fields:
                del types[name]["properties"][field]["readOnly"]
        index |= {
            name: {**_entry(api, name, one, overlay), "takes": arguments_of(one, types)}
            for name, one in operations.items()
        }
        head = {"revision": described["revision"], "root": described["rootUrl"].rstrip("/")}
        found[f"{api}.json"] = _lines(head, operations=operations, types=types)
    return {**found, "index.json": _lines({}, operations=index)}


def overlay_of(api: str) -> dict[str, Any]:
    """Return what we say about the operations of an API."""
    return tomllib.loads((OVERLAY / f"{api}.toml").read_text(encoding="utf-8"))


def arguments_of(operation: Mapping[str, Any], types: Mapping[str, Any]) -> list[str]:
    """Return the names of what an operation takes: parameters, then the fields of its body."""
    body = types[operation["request"]].get("properties", {}) if "request" in operation else {}
    ours = [name for name, node in body.items() if not {"readOnly", "deprecated"} & node.keys()]
    given = [name for name in operation["parameters"] if name not in ALWAYS_SENT]
    more = ["writeControl"] if "control" in operation else []
    more += ["fields"] if "kind" not in operation and "response" in operation else []
    return [*dict.fromkeys([*given, *(name for name in ours if name != "kind"), *more])]


def _entry(api: str, name: str, operation: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said of an operation; one that is new has its name for a summary."""
    found = {
        "api": api,
        "effect": overlay.get("effects", {}).get(name) or _effect(name, operation),
        "summary": overlay["summaries"].get(name) or f"{name.replace('_', ' ')}.",
    }
    if name in overlay.get("again", {}):
        found["again"] = overlay["again"][name]  # why a repeated update is another change
    for key in ("fields", "required", "instead"):
        if name in overlay.get(key, {}):
            found[key] = overlay[key][name]
    return found


def _effect(name: str, operation: Mapping[str, Any]) -> str:
    own = name.rpartition("_")[2]
    if "kind" not in operation and operation["method"] in _EFFECTS:
        return _EFFECTS[operation["method"]]
    if own.startswith(_DELETES):
        return "delete"
    return "create" if own.startswith(_CREATES) else "update"


def _lines(head: Mapping[str, Any], **tables: Mapping[str, Any]) -> str:
    """Write tables as JSON with one entry per line, so that a change is one line in a diff."""
    parts = [f"{_json(key)}:{_json(value)}" for key, value in head.items()]
    for table, entries in tables.items():
        rows = ",\n".join(f"{_json(key)}:{_json(value)}" for key, value in entries.items())
        parts.append(f"{_json(table)}:{{\n{rows}\n}}")
    return "{" + ",\n".join(parts) + "}\n"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
