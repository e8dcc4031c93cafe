"""Operations: what is sent for one, and what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from laconic.servers.google.catalogue.index import ApiFacts, Entry, entries, facts_of

Node = Mapping[str, Any]
ALWAYS_SENT: Final = (
    "supportsAllDrives",
    "includeItemsFromAllDrives",
)  # as true: never without shared drives
_NOT_SENT: Final = ("_UNSPECIFIED", "_UNSUPPORTED")  # values of answers alone
_TEXT: Final[Node] = {"type": "string"}


@dataclass(frozen=True)
class Operation:
    """One operation with the facts of its API."""

    entry: Entry
    facts: Mapping[str, Any]
    api: ApiFacts

    @property
    def kind(self) -> str:
        """The kind of request that a batch takes; empty for a method of its own."""
        return str(self.facts.get("kind", ""))

    @property
    def parameters(self) -> Mapping[str, Node]:
        """What is sent in the path or the query."""
        found: Mapping[str, Node] = self.facts["parameters"]
        return found

    @property
    def body(self) -> Mapping[str, Node]:
        """The fields of what is sent as JSON, without those that only answers have."""
        request = self.facts.get("request")
        found = self.api.types[request].get("properties", {}) if request else {}
        return {name: node for name, node in found.items() if _is_sent(name, node)}

    @property
    def properties(self) -> dict[str, Node]:
        """All arguments, by name."""
        given = {name: node for name, node in self.parameters.items() if name not in ALWAYS_SENT}
        known = {**self.body, **given}
        more = {"writeControl": {"$ref": self.facts.get("control")}, "fields": _TEXT}
        return {name: input_of(known.get(name) or more[name]) for name in self.entry.takes}

    @property
    def required(self) -> list[str]:
        """The arguments that are always needed."""
        ours = [name for name in self.entry.required if "|" not in name]
        return [name for name in self.entry.takes if name in (*self.facts["required"], *ours)]

    @property
    def choices(self) -> list[list[str]]:
        """Arguments of which exactly one is needed."""
        return [names.split("|") for names in self.entry.required if "|" in names]


@cache
def operation(name: str) -> Operation:
    """Return an operation."""
    entry = entries()[name]
    facts = facts_of(entry.api)
    return Operation(entry, facts.operations[name], facts)


@cache
def input_types(api: str) -> Mapping[str, Node]:
    """Return the types of an API as callers may send them."""
    return {name: input_of(node) for name, node in facts_of(api).types.items()}


def input_of(node: Node) -> dict[str, Any]:
    """Return a type without what only answers have: fields of the API's own, and values for 'not set'."""
    found = {
        key: value for key, value in node.items() if key not in ("in", "format", "readOnly", "deprecated")
    }
    if "enum" in node:
        found["enum"] = [one for one in node["enum"] if not one.endswith(_NOT_SENT)] or node["enum"]
    for key in ("items", "additionalProperties"):
        if key in node:
            found[key] = input_of(node[key])
    if "properties" in node:
        inner = node["properties"].items()
        found["properties"] = {name: input_of(one) for name, one in inner if _is_sent(name, one)}
    return found


def _is_sent(name: str, node: Node) -> bool:
    return name != "kind" and not {"readOnly", "deprecated"} & node.keys()
