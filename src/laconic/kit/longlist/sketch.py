"""Sketches: a tool's signature in one line, `job_get(id: string) read: Read one job in full.`"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laconic.kit.longlist.finding.words import name_words, plain_words, stem

__all__ = ["first_sentence", "sketch"]

Schema = Mapping[str, Any]

_DEEPEST = 2  # objects inside objects
_FORMATS = {"date": "date", "date-time": "datetime"}
_COMMON_WORDS = frozenset(
    map(stem, plain_words("a an the of its it this that to for new which only one optional"))
)


def sketch(name: str, effect: str, description: str, schema: Schema) -> str:
    """Return a tool's name, arguments, effect and description in one line."""
    definitions = schema.get("$defs", {})
    known = {*name_words(name), *plain_words(description)}
    arguments = _fields(schema, definitions, 0, known)
    return f"{name}({arguments}) {effect}: {description}"


def first_sentence(text: str, most: int) -> str:
    """Return the first sentence, cut to at most so many words."""
    end = next(
        (n for n, letter in enumerate(text) if letter in ".!?" and text[n + 1 : n + 2] in ("", " ")), None
    )
    words = (text if end is None else text[: end + 1]).split()
    return " ".join(words) if len(words) <= most else " ".join(words[:most]) + " …"


def _fields(node: Schema, definitions: Schema, depth: int, known: Iterable[str] = ()) -> str:
    fields: list[str] = []
    for name, inner in node.get("properties", {}).items():
        mark = "" if name in node.get("required", ()) else "?"
        fields.append(f"{name}{mark}: {_kind(inner, definitions, depth)}{_about(name, inner, known)}")
    return ", ".join(fields)


def _about(name: str, node: Schema, known: Iterable[str]) -> str:
    """Return the description of an argument if it adds something to the names."""
    text = str(node.get("description", "")).rstrip(".")
    stems = {stem(word) for word in (*known, *name_words(name))} | _COMMON_WORDS
    adds = any(stem(word) not in stems for word in plain_words(text))
    return f" ({text})" if adds else ""


def _kind(node: Schema, definitions: Schema, depth: int) -> str:
    """Return a type in short form: `open|done`, `string[]`, `{id: string, note?: string}`."""
    if "$ref" in node:  # recursive: written out once
        name = str(node["$ref"]).rsplit("/", 1)[1]
        return name if depth else name + _kind(definitions.get(name, {}), definitions, depth)
    if "enum" in node or "const" in node:
        return "|".join(str(value) for value in node.get("enum", [node.get("const")])) + _default(node)
    branches = node.get("anyOf") or node.get("oneOf")
    if branches:
        return "|".join(dict.fromkeys(_kind(branch, definitions, depth) for branch in branches))
    if node.get("type") == "array":
        inner = _kind(node.get("items", {}), definitions, depth)
        return f"({inner})[]" if "|" in inner and inner[0] != "{" else f"{inner}[]"
    if node.get("properties"):
        return f"{{{_fields(node, definitions, depth + 1)}}}" if depth < _DEEPEST else "{…}"
    kind = node.get("type", "any")
    plain = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return _FORMATS.get(node.get("format", ""), plain) + _range(node) + _default(node)


def _range(node: Schema) -> str:
    least, most = node.get("minimum"), node.get("maximum")
    if most is not None:
        return f" {least if least is not None else ''}..{most}"
    return f" {least}.." if least is not None else ""


def _default(node: Schema) -> str:
    default = node.get("default")
    return f"={default}" if isinstance(default, str | int | float) and default != "" else ""
