"""Long tool lists: find a tool by plain words, see its signature, call it.

Calling is split by what a tool does to the world, so that a host can still let reads pass and ask about
deletions: the annotations of a calling tool are those of every tool it reaches.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from laconic.kit.catalogue import Catalogue
from laconic.kit.errors import BadArguments, Problem
from laconic.kit.finder import Finder
from laconic.kit.peer import Peer
from laconic.kit.pipeline import Answer
from laconic.kit.schema import arguments_of
from laconic.kit.spec import Effect, ToolSpec
from laconic.kit.toolset import Toolset

__all__ = ["long_list"]

Run = Callable[[str, Mapping[str, Any], Peer], Awaitable[Answer]]
"""Calls a tool of the endpoint: the same path as a direct call."""

_CALLERS = {
    Effect.READ: "tools_read",
    Effect.CREATE: "tools_write",
    Effect.UPDATE: "tools_write",
    Effect.DELETE: "tools_delete",
}
_MOST_WORDS = 14  # of a description in a list of what was found


def long_list(catalogue: Callable[[], Catalogue], run: Run) -> Toolset:
    """Make the toolset through which every tool can be reached."""
    toolset = Toolset("tools", "Finds and calls tools that are not listed.", is_kit=True)
    finders: list[Finder] = []

    def finder() -> Finder:
        if not finders:
            found = [spec for spec in catalogue().tools.values() if spec.toolset != toolset.name]
            finders.append(Finder([_Found(spec) for spec in found]))
        return finders[0]

    @toolset.read(budget=0)
    async def tools_find(
        query: Annotated[str, "What you want to do, in plain words."],
        limit: Annotated[int, "How many."] = 6,
    ) -> str:
        """Find tools for a task; tools_describe shows their arguments."""
        found = finder().find(query, max(1, min(limit, 20)))
        lines = [_line(catalogue().tools[name]) for name in found]
        return "\n".join(lines) or "Nothing found: say it in other words."

    @toolset.read(budget=0)
    async def tools_describe(names: Annotated[list[str], "Of tools."]) -> str:
        """Show the arguments of tools."""
        return "\n".join(_signature(catalogue().tool(name)) for name in names)

    for effects, verb in (
        ((Effect.READ,), toolset.read),
        ((Effect.CREATE, Effect.UPDATE), toolset.create),
        ((Effect.DELETE,), toolset.delete),
    ):
        _calling(_CALLERS[effects[0]], verb, catalogue, run)
    return toolset


class _Found:
    """A tool as the finder reads it."""

    def __init__(self, spec: ToolSpec) -> None:
        self.name = spec.name
        self.description = spec.description
        self.words = [parameter.wire for parameter in spec.signature.parameters]


def _calling(name: str, verb: Any, catalogue: Callable[[], Catalogue], run: Run) -> None:
    options = {"replays": False, "name": name, "budget": 0, "gathers": "arguments", "relays": True}
    words = {"tools_read": "only reads", "tools_write": "creates or changes", "tools_delete": "deletes"}

    async def call(
        peer: Peer,
        tool: Annotated[str, "Its name."],
        arguments: Annotated[dict[str, Any] | None, "Its arguments."] = None,
    ) -> Answer:
        spec = catalogue().tool(tool)
        right = _CALLERS[spec.effect]
        if right != name:
            said = f"{spec.name} is called with {right}, not {name}. Did you mean {right}?"
            raise BadArguments([Problem("tool", said, tool)])
        return await run(tool, arguments or {}, peer)

    call.__name__ = name
    call.__doc__ = f"Call a tool that {words[name]}."
    verb(**options)(call)


def _line(spec: ToolSpec) -> str:
    sentence = re.split(r"(?<=[.!?])\s", spec.description, maxsplit=1)[0].split()
    short = " ".join(sentence[:_MOST_WORDS]) + ("…" if len(sentence) > _MOST_WORDS else "")
    return f"{spec.name} ({spec.effect.value}): {short}"


def _signature(spec: ToolSpec) -> str:
    schema = arguments_of(spec).schema
    needed = set(schema.get("required", ()))
    definitions = schema.get("$defs", {})
    parts = [
        f"{name}{'' if name in needed else '?'}: {_kind(node, definitions)}{_about(node)}"
        for name, node in schema["properties"].items()
    ]
    return f"{spec.name}({', '.join(parts)}) {spec.effect.value}: {spec.description}"


def _about(node: Mapping[str, Any]) -> str:
    return f" ({node['description'].rstrip('.')})" if node.get("description") else ""


def _kind(node: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> str:
    """A type in few letters: `open|done`, `string[]`, `{id: string, note?: string}`."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[1]
        return name if depth else _kind(definitions.get(name, {}), definitions, depth + 1)
    if "enum" in node or "const" in node:
        return "|".join(str(value) for value in node.get("enum", [node.get("const")]))
    branches = node.get("anyOf") or node.get("oneOf")
    if branches:
        return " or ".join(_kind(branch, definitions, depth) for branch in branches)
    if node.get("type") == "array":
        inner = _kind(node.get("items", {}), definitions, depth)
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if node.get("properties"):
        needed = set(node.get("required", ()))
        inside = ", ".join(
            f"{name}{'' if name in needed else '?'}: {_kind(inner, definitions, depth + 1)}"
            for name, inner in node["properties"].items()
        )
        return f"{{{inside}}}"
    return str(node.get("type", "any"))
