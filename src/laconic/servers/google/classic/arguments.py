"""The arguments of a classic tool: its own names, with the types that the operation's fields have."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Final

from laconic.kit import BadArguments, Described, Problem, exactly_one
from laconic.servers.google.catalogue.addresses import with_ids
from laconic.servers.google.catalogue.operations import Node, Operation, input_types, operation
from laconic.servers.google.classic.notation import Argument
from laconic.servers.google.classic.tools import ClassicTool
from laconic.servers.google.classic.ways import WAYS

_LONGEST: Final = 90  # letters of the fixed values that are listed; all are checked


class ClassicArguments:
    """What a classic tool takes; the facts of its API are read on first use."""

    def __init__(self, tool: ClassicTool) -> None:
        self._tool = tool
        control = ["writeControl"] if "writeControl" in tool.entry.takes else []
        self.names: Collection[str] = (*tool.names, *control)

    @cached_property
    def _operation(self) -> Operation:
        return operation(self._tool.entry.name)

    @cached_property
    def _properties(self) -> dict[str, Node]:
        types = input_types(self._tool.entry.api)
        own = {one.name: _node(one, self._operation, types) for one in self._tool.arguments}
        more = {name: self._operation.properties[name] for name in self.names if name not in own}
        return {**own, **more}

    def _described(self, properties: Mapping[str, Node]) -> Described:
        required = [one.name for one in self._tool.arguments if one.is_required]
        return Described(properties, required, types=input_types(self._tool.entry.api), depth=1)

    @cached_property
    def _whole(self) -> Described:
        return self._described(self._properties)

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """The schema that models see: without what is not listed, and without long lists of values."""
        listed = [one.name for one in self._tool.arguments if one.is_listed]
        return self._described({name: _short(self._properties[name]) for name in listed}).schema

    def notation(self) -> str:
        """Return the arguments in short form; further lines explain types."""
        return self._whole.notation()

    def check(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of one call.

        Raises:
            BadArguments: with every problem.
        """
        turned = {name: self._first(name, value) for name, value in with_ids(given).items()}
        checked = self._whole.check(turned)
        problems = [exactly_one(*names)(checked) for names in self._choices]
        found: list[Problem] = [problem for problem in problems if problem is not None]
        if found:
            raise BadArguments(found)
        return checked

    def _first(self, name: str, value: Any) -> Any:
        argument = next((one for one in self._tool.arguments if one.name == name), None)
        way = WAYS[argument.way] if argument else None
        return way.turn(value) if way and way.first and value is not None else value

    @cached_property
    def _choices(self) -> list[list[str]]:
        known = set(self._tool.names)
        return [names for names in self._operation.choices if known.issuperset(names)]


def _node(argument: Argument, of: Operation, types: Mapping[str, Node]) -> Node:
    own = WAYS[argument.way].node
    if own is not None and argument.way == "condition":
        kinds = types["BooleanCondition"]["properties"]["type"]
        return {**own, "properties": {**own["properties"], "type": kinds}}
    if own is not None:
        return own
    node: Node = {"properties": of.properties}
    for name in argument.path:
        node = types[node["$ref"]] if "$ref" in node else node
        node = node["properties"][name]
    return node


def _short(node: Node) -> Node:
    values = node.get("enum", ())
    is_long = sum(len(str(value)) for value in values) > _LONGEST
    return {key: value for key, value in node.items() if key != "enum"} if is_long else node
