"""Arguments as models send them, converted to the form the schema requires.

Only if the meaning is clear: a null is left out, "10" becomes a number where only a number fits, 10 becomes
"10" where only text fits, JSON inside a string is parsed, and a single value becomes a list of one. What fits
as it is stays as it is; what could be meant in two ways is left for the check to refuse.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laconic.kit.arguments.fitting import Fitting, Node, is_one_of, kind_of
from laconic.kit.errors.words import show

__all__ = ["tidy"]

Reading = tuple[Any, int]
"""A value as it was understood, and how many conversions that took."""

_PACKED = frozenset({"integer", "number", "boolean", "array", "object"})
_SINGLE = frozenset({"integer", "number", "boolean"})


def tidy(raw: Mapping[str, Any], schema: Mapping[str, Any], notes: list[str] | None = None) -> dict[str, Any]:
    """Return the arguments of one call in the form the schema requires; `notes` gets what to tell."""
    tidier = _Tidier(schema.get("$defs", {}))
    tidied, _ = tidier.members(raw, schema)
    if notes is not None:
        notes += tidier.notes
    return tidied


class _Tidier:
    """Reads one call's arguments; remembers what it read, because recursive schemas ask again."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._fitting = Fitting(definitions)
        self._read: dict[tuple[int, int, bool], tuple[Any, Reading]] = {}
        self.notes: list[str] = []

    def members(self, raw: Mapping[str, Any], node: Node) -> tuple[dict[str, Any], int]:
        """Read an object, member by member."""
        properties, others = node.get("properties", {}), node.get("additionalProperties")
        tidied: dict[str, Any] = {}
        cost = 0
        for key, value in raw.items():
            inner = properties.get(key)
            if inner is not None and type(value) is str and inner.get("type") == "string":
                tidied[key] = value  # the most frequent case
                continue
            if inner is None and isinstance(others, Mapping):
                tidied[key], more = self._value(value, others)
            elif value is None and not (inner and self._fitting.admits_null(inner)):
                more = 1  # left out
            elif inner is not None and _is_right(value, inner):
                tidied[key], more = value, 0
            else:
                tidied[key], more = self._value(value, inner or {})
            cost += more
        return tidied, cost

    def _value(self, value: Any, node: Node, *, in_list: bool = False) -> Reading:
        node = self._fitting.resolved(node)
        branches = self._fitting.branches(node)
        if branches:
            return self._union(value, node, branches, in_list)
        if "enum" in node or "const" in node:
            return _chosen(value, node)
        kind = node.get("type")
        if kind == "string":
            return (str(value), 1) if type(value) is int else (value, 0)  # most often it is an id
        if kind == "array":
            return self._list(value, node, in_list)
        cost = 0
        if isinstance(value, str) and kind in _PACKED:
            value, cost = _unpacked(value, kind)
        if kind == "integer" and isinstance(value, float) and value.is_integer():
            return int(value), 1
        if kind == "object" and isinstance(value, dict) and _has_members(node):
            value, more = self.members(value, node)
            cost += more
        return value, cost

    def _list(self, value: Any, node: Node, in_list: bool) -> Reading:
        cost = 0
        if isinstance(value, str):
            value, cost = _unpacked(value, "array")
        if isinstance(value, str) and "x-commas" in node and "," in value:
            value, cost = self._split(value), 1
        if isinstance(value, list):
            if "prefixItems" not in node and _are_texts(value, node.get("items", {})):
                return value, cost
            items = [self._item(node, place) for place in range(len(value))]
            read = [self._value(one, item, in_list=True) for one, item in zip(value, items, strict=True)]
            return [one for one, _ in read], cost + sum(more for _, more in read)
        item = self._fitting.resolved(node.get("items", {}))
        if value is None or in_list or "prefixItems" in node:  # [1, 2] for [[1, 2]] could be [[1], [2]]
            return value, cost
        one, more = self._value(value, item, in_list=True)
        is_item = self._fitting.fits if isinstance(one, dict) else self._fitting.is_alike
        return ([one], more + 1) if is_item(one, item) else (value, cost)  # else it may be {"items": […]}

    def _split(self, text: str) -> list[str]:
        """Split a whole list that was sent as one text."""
        words = [word for part in text.split(",") if (word := part.strip())]
        note = f"{show(text)} was read as {len(words)} values; to keep a comma, pass a list."
        self.notes += [] if note in self.notes or len(words) < 2 else [note]
        return words

    def _item(self, node: Node, place: int) -> Node:
        first: Sequence[Node] = node.get("prefixItems", ())
        found: Node = first[place] if place < len(first) else node.get("items", {})
        return found

    def _union(self, value: Any, node: Node, branches: Sequence[Node], in_list: bool) -> Reading:
        key = (id(value), id(node), in_list)
        if key not in self._read:
            self._read[key] = (value, self._either(value, branches, in_list))  # with the value: its id stays
        return self._read[key][1]

    def _either(self, value: Any, branches: Sequence[Node], in_list: bool) -> Reading:
        """Read a value as the branch that takes the fewest conversions; as it is if two take as few."""
        meant = _tagged(value, branches)
        read = [(branch, *self._value(value, branch, in_list=in_list)) for branch in meant]
        fitting = [(cost, one) for branch, one, cost in read if self._fitting.fits(one, branch)]
        if fitting:
            least = min(cost for cost, _ in fitting)
            found = {json.dumps(one, sort_keys=True): one for cost, one in fitting if cost == least}
            return (next(iter(found.values())), least) if len(found) == 1 else (value, 0)
        likely = [(one, cost) for branch, one, cost in read if branch.get("type") != "null"]
        return likely[0] if len(likely) == 1 else (value, 0)  # then the error is about that branch


def _is_right(value: Any, node: Node) -> bool:
    """True if a value has the type that it must have, and no other could be meant."""
    kind = node.get("type")
    if kind == "string":
        return isinstance(value, str)
    return kind in _SINGLE and kind_of(value) == kind and "enum" not in node and "const" not in node


def _are_texts(values: Sequence[Any], item: Node) -> bool:
    """True if the items of a list must be texts, any texts, and are."""
    is_any_text = item.get("type") == "string" and "enum" not in item and "const" not in item
    return is_any_text and {str}.issuperset(map(type, values))


def _has_members(node: Node) -> bool:
    return bool(node.get("properties")) or isinstance(node.get("additionalProperties"), Mapping)


def _chosen(value: Any, node: Node) -> Reading:
    """Read a value where only some values are allowed."""
    allowed = node["enum"] if "enum" in node else [node["const"]]
    if is_one_of(value, allowed):
        return value, 0
    meant = [one for one in _other_forms(value) if is_one_of(one, allowed)]
    return (meant[0], 1) if len(meant) == 1 else (value, 0)


def _other_forms(value: Any) -> Iterable[Any]:
    if type(value) is int:
        yield str(value)
    elif isinstance(value, float) and value.is_integer():
        yield int(value)
    elif isinstance(value, str):
        try:
            yield _parsed(value)
        except ValueError:
            return


def _unpacked(value: str, kind: str) -> Reading:
    """Parse JSON inside a string, if it has the expected type."""
    try:
        inner = _parsed(value)
    except ValueError:
        return value, 0
    found = kind_of(inner)
    is_expected = found == kind or (found == "integer" and kind == "number")
    is_expected = is_expected or (kind == "integer" and isinstance(inner, float) and inner.is_integer())
    return (inner, 1) if is_expected else (value, 0)


def _parsed(text: str) -> Any:
    return json.loads(text, parse_constant=_refused)


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _tagged(value: Any, branches: Sequence[Node]) -> Sequence[Node]:
    """Return the branches whose fixed members, such as a variant's tag, are those of an object."""
    if isinstance(value, str):
        value, _ = _unpacked(value, "object")
    if not isinstance(value, dict):
        return branches
    return [branch for branch in branches if _has_tags(value, branch)] or branches


def _has_tags(value: Mapping[str, Any], branch: Node) -> bool:
    nodes = branch.get("properties", {})
    return all(
        node["const"] == _chosen(value[name], node)[0]
        for name, node in nodes.items()
        if "const" in node and name in value
    )
