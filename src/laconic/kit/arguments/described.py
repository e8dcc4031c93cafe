"""Described arguments: what a tool made from data accepts, from a description like a JSON schema."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Final

from laconic.kit.arguments.checking import Checker
from laconic.kit.arguments.lean import lean, references, type_name
from laconic.kit.arguments.notation import notation_of
from laconic.kit.arguments.problems import MOST_TEXT
from laconic.kit.arguments.schema import as_json
from laconic.kit.arguments.texts import text_problems
from laconic.kit.arguments.tidy import tidy
from laconic.kit.arguments.told import distinct
from laconic.kit.arguments.unions import unions_in, unions_of
from laconic.kit.errors import BadArguments, BadConfiguration
from laconic.text import did_you_mean, nearest

__all__ = ["Described"]

Node = Mapping[str, Any]
_NO_TYPES: Final[Mapping[str, Node]] = {}
_LONGEST: Final = 7_500  # letters of a notation before it is cut
_DEPTHS: Final = (4, 3, 2, 1)


class Described:
    """Arguments described as data: types, required ones, fixed values, limits, objects in objects.

    `{"$ref": "Place"}` is the type of that name in `types`, which many tools can share. The listed schema
    shows objects inside objects to a `depth`; calls are checked to any depth.
    """

    def __init__(
        self,
        properties: Mapping[str, Node],
        required: Collection[str] = (),
        *,
        types: Mapping[str, Node] = _NO_TYPES,
        depth: int = 2,
    ) -> None:
        self.names: Collection[str] = properties.keys()
        self._given = properties
        self._required = required
        self._types = types
        self._depth = depth

    @cached_property
    def _properties(self) -> Mapping[str, Node]:
        return unions_in(self._given)

    @cached_property
    def _whole(self) -> dict[str, Any]:
        own = {"type": "object", "properties": self._properties, "required": list(self._required)}
        return {**own, "$defs": unions_of(self._types)}

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """The schema that models see, without types that have names.

        Raises:
            BadConfiguration: a type does not exist.
        """
        properties = {name: self._shallow(node, self._depth) for name, node in self._properties.items()}
        required = [name for name in self._properties if name in self._required]
        whole = {"type": "object", "properties": properties} | ({"required": required} if required else {})
        return lean(whole, longest=MOST_TEXT)

    def _shallow(self, node: Node, depth: int, within: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return a node with its types written out as deep as they are listed; `within` are those around."""
        if "$ref" in node:
            name = type_name(node)
            beside = {key: value for key, value in node.items() if key != "$ref"}
            if name in within:
                return {"type": "object", **beside} if self._type(name).get("type") == "object" else beside
            return self._shallow({**self._type(name), **beside}, depth, (*within, name))
        found = dict(node)
        for key in ("anyOf", "oneOf"):
            if key in node:
                found[key] = [self._shallow(branch, depth, within) for branch in node[key]]
        for key in ("items", "additionalProperties"):
            if key in node and isinstance(node[key], Mapping):
                found[key] = self._shallow(node[key], depth, within)
        if "properties" in node:
            if depth <= 1:
                return {key: value for key, value in found.items() if key not in ("properties", "required")}
            inner = node["properties"].items()
            found["properties"] = {name: self._shallow(one, depth - 1, within) for name, one in inner}
        return found

    def _type(self, name: str) -> Node:
        if name not in self._types:
            hint = did_you_mean(nearest(name, self._types), quote="'")
            raise BadConfiguration(f"No type is called '{name}'.{hint}")
        return unions_of(self._types)[name]

    def notation(self) -> str:
        """Return all arguments in short form, each shared type on a line of its own.

        If that is very long, objects deep inside are only `{…}`.
        """
        written = notation_of(self._whole)
        for deepest in _DEPTHS:
            if len(written) <= _LONGEST:
                break
            written = notation_of(self._whole, deepest)
        return written

    @cached_property
    def _checker(self) -> Checker:
        waiting, known = references(self._properties), set[str]()
        while waiting:
            name = waiting.pop()
            if name not in known:
                known.add(name)
                waiting += references(self._type(name))
        return Checker(self._whole)

    def check(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of one call, with what was clearly meant in the form the schema requires.

        Raises:
            BadArguments: with every problem.
        """
        tidied = tidy(given, self._whole)
        texts = text_problems(tidied, as_json(tidied), lambda: self._whole)
        problems = [*self._checker.problems(tidied), *texts]
        if problems:
            raise BadArguments(distinct(problems))
        return tidied
