"""Notation: types in short form, `open|done`, `string[]`, `{id: string, note?: string}`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from laconic.kit.arguments.lean import references, type_name
from laconic.kit.errors.words import spelled

__all__ = ["Notation", "notation_of"]

Schema = Mapping[str, Any]
Describe = Callable[[str, Schema, int], str]
"""Takes an argument's name, its node and its depth; returns what to write behind its type."""

_FORMATS = {"date": "date", "date-time": "datetime"}


def _described(name: str, node: Schema, depth: int) -> str:
    text = str(node.get("description", "")).rstrip(".")
    return f" ({text})" if text else ""


class Notation:
    """Writes the types of one schema; an object deeper than `deepest` is `{…}`."""

    def __init__(self, definitions: Schema, *, deepest: int, about: Describe = _described) -> None:
        self._definitions = definitions
        self._deepest = deepest
        self._about = about

    def fields(self, node: Schema, depth: int = 0) -> str:
        """Write the members of an object."""
        fields: list[str] = []
        for name, inner in node.get("properties", {}).items():
            mark = "" if name in node.get("required", ()) else "?"
            fields.append(f"{name}{mark}: {self.kind(inner, depth)}{self._about(name, inner, depth)}")
        return ", ".join(fields)

    def kind(self, node: Schema, depth: int) -> str:
        """Write a type."""
        if "$ref" in node:
            return self.named(type_name(node), depth)
        if "enum" in node or "const" in node:
            return "|".join(spelled(value) for value in node.get("enum", [node.get("const")])) + _default(
                node
            )
        branches = node.get("anyOf") or node.get("oneOf")
        if branches:
            return "|".join(dict.fromkeys(self.kind(branch, depth) for branch in branches))
        if node.get("type") == "array":
            inner = self.kind(node.get("items", {}), depth)
            return f"({inner})[]" if "|" in inner and inner[0] != "{" else f"{inner}[]"
        if node.get("properties"):
            return f"{{{self.fields(node, depth + 1)}}}" if depth < self._deepest else "{…}"
        kind = node.get("type", "any")
        plain = " or ".join(kind) if isinstance(kind, list) else str(kind)
        return _FORMATS.get(node.get("format", ""), plain) + _range(node) + _default(node)

    def named(self, name: str, depth: int) -> str:
        """Write a type that has a name; here a recursive one, written out once."""
        return name if depth else name + self.kind(self._definitions.get(name, {}), depth)


def notation_of(schema: Schema, deepest: int = 0) -> str:
    """Return the arguments on one line, and each type that several of them use on a line of its own.

    With a depth, types are written in their places, and what is deeper is `{…}`.
    """
    if deepest:
        return _Cut(schema.get("$defs", {}), deepest=deepest).fields(schema)
    return _Shared(schema).text()


class _Cut(Notation):
    """Writes every type in its place."""

    def named(self, name: str, depth: int) -> str:
        return self.kind(self._definitions.get(name, {}), depth)


class _Shared(Notation):
    """Writes a type that is used once in its place, and any other by its name."""

    def __init__(self, schema: Schema) -> None:
        super().__init__(schema.get("$defs", {}), deepest=100)
        self._schema = schema
        self._used = self._uses()
        self._named: dict[str, str] = {}

    def _uses(self) -> Counter[str]:
        """Count the places that use each type, of those that the arguments need."""
        used = Counter(references(self._schema.get("properties", {})))
        waiting = list(used)
        while waiting:
            inner = references(self._definitions.get(waiting.pop(), {}))
            waiting += [name for name in dict.fromkeys(inner) if name not in used]
            used.update(inner)
        return used

    def text(self) -> str:
        lines = [self.fields(self._schema)]
        return "\n".join([*lines, *(f"{name} = {written}" for name, written in self._named.items())])

    def named(self, name: str, depth: int) -> str:
        node = self._definitions.get(name, {})
        if not node.get("properties") or self._used[name] == 1:
            return self.kind(node, depth)
        if name not in self._named:
            self._named[name] = ""  # before its members, which may use it
            self._named[name] = self.kind(node, 0)
        return name


def _range(node: Schema) -> str:
    least, most = node.get("minimum"), node.get("maximum")
    if most is not None:
        return f" {least if least is not None else ''}..{most}"
    return f" {least}.." if least is not None else ""


def _default(node: Schema) -> str:
    default = node.get("default")
    return f"={spelled(default)}" if isinstance(default, str | int | float) and default != "" else ""
