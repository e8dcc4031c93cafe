"""Problems with arguments, one sentence per problem: the field, the value given, what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.arguments.told import MOST_TOLD, first_problems
from laconic.kit.errors import NOT_GIVEN, Problem
from laconic.kit.errors.words import clean, listing, show, spelled
from laconic.text import did_you_mean, nearest

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = [
    "MOST_TEXT",
    "Schema",
    "enum_problem",
    "expected",
    "nearest_name",
    "place_of",
    "problems_of",
    "unknown_argument",
    "unknown_arguments",
]

Schema = Mapping[str, Any]

MOST_TEXT: Final = 100_000
"""The longest string a parameter accepts unless it sets its own limit."""
_TOO_MANY: Final = 10_000  # wrong values that are not even looked at: a short request can have millions


def unknown_arguments(
    raw: Mapping[str, Any],
    known: Sequence[str],
    offered: Sequence[str],
    elsewhere: Mapping[str, str] | None = None,
) -> list[Problem]:
    """Return a problem for each argument the tool does not have, with the listed one probably meant.

    `elsewhere` has the tools to use for some of them instead.
    """
    tools = elsewhere or {}
    unknown = islice((name for name in raw if name not in known), MOST_TOLD)
    meant = {name: None if name in tools else nearest_name(name, offered) for name in unknown}
    strange = [name for name, near in meant.items() if near is None and name not in tools]
    return [
        Problem(name, f"Unknown argument '{name}'. Use {tools[name]} for it.", raw[name], tuple(offered))
        if name in tools
        else unknown_argument(name, near, offered, raw[name], lists_all=name in strange[:1])
        for name, near in meant.items()
    ]


def nearest_name(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that was probably meant."""
    return next(iter(nearest(name, known)), None)


def unknown_argument(
    path: str, near: str | None, known: Sequence[str], value: Any, *, lists_all: bool = True
) -> Problem:
    """Return the problem of an argument, or of a member of one, that is not known."""
    path = clean(path[:80])
    every = f"Arguments: {listing(known)}." if known else "It takes no arguments."
    hint = did_you_mean([near] if near else [], quote="'", otherwise=every if lists_all else "")
    return Problem(path, f"Unknown argument '{path}'.{hint}", value, tuple(known), near)


def problems_of(error: ValidationError, schema: Schema, inline: Sequence[str] = ()) -> list[Problem]:
    """Return the problems that pydantic found, one sentence each and one per place."""
    count = error.error_count()
    if count > _TOO_MANY:
        words = f"{count:,} values in the arguments are wrong. Read the tool's schema, or send fewer at once."
        return [Problem("arguments", words)]
    return first_problems(_each(error, schema, inline))


def _each(error: ValidationError, schema: Schema, inline: Sequence[str]) -> Iterator[Problem]:
    told: set[str] = set()
    for item in error.errors(include_url=False, include_context=True):
        place = _Place(schema, item["loc"])
        path = place.path(inline)
        if path not in told:
            told.add(path)
            yield _problem(item, place, path)


def place_of(
    schema: Schema, location: Iterable[str | int], inline: Sequence[str] = ()
) -> tuple[str, list[Schema]]:
    """Return the path of a place as a caller writes it, and the schemas of what may be there."""
    place = _Place(schema, location)
    node = _resolve(place.node, schema)
    return place.path(inline), [node, *_branches(node, schema)]


def _problem(item: Any, place: _Place, path: str) -> Problem:
    kind, given = item["type"], item["input"]
    node = place.node
    if kind == "json_invalid":
        return Problem("arguments", f"Invalid arguments: {item['ctx']['error']}. Expected: readable JSON.")
    if kind == "missing":
        return Problem(path, f"Missing {path}: {expected(node, place.root)}.")
    if kind == "extra_forbidden":
        return unknown_argument(
            path, nearest_name(str(item["loc"][-1]), place.siblings), place.siblings, given
        )
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _tag_problem(item, place, path)
    if kind in ("value_error", "assertion_error"):
        message = str(item["ctx"].get("error", "")) or item["msg"]
        return Problem(path, f"Invalid {path} {show(given)}. {message.rstrip('.')}.", given)
    values = _enum(node, place.root)
    if values and not isinstance(given, list | dict):
        return enum_problem(path, given, values)
    wanted = expected(node, place.root, is_long=kind == "string_too_long")
    return Problem(path, f"Invalid {path} {show(given)}. Expected: {wanted}.", given)


def enum_problem(path: str, given: Any, values: list[str]) -> Problem:
    """Return the problem of a value that is none of those allowed."""
    near = nearest_name(str(given), values)
    hint = did_you_mean([near] if near else [], quote="'")
    message = f"Invalid {path} {show(given)}. Valid values: {listing(values)}.{hint}"
    return Problem(path, message, given, tuple(values), near)


def _tag_problem(item: Any, place: _Place, path: str) -> Problem:
    tag = item["ctx"]["discriminator"].strip("'")
    values = [
        str(value) for branch in _branches(place.node, place.root) for value in _tag_values(branch, tag)
    ]
    where = f"{path}.{tag}" if path else tag
    given = item["input"].get(tag, NOT_GIVEN) if isinstance(item["input"], dict) else item["input"]
    if given is NOT_GIVEN:
        return Problem(where, f"Missing {where}: one of {listing(values)}.", allowed=tuple(values))
    return enum_problem(where, given, values)


def _tag_values(branch: Schema, tag: str) -> list[Any]:
    node = branch.get("properties", {}).get(tag, {})
    return list(node.get("enum", ())) or ([node["const"]] if "const" in node else [])


class _Place:
    """The place of a problem in the schema, found by following pydantic's location."""

    def __init__(self, root: Schema, location: Iterable[str | int]) -> None:
        self.root = root
        self.node: Schema = root
        self.siblings: list[str] = list(root.get("properties", {}))
        self._steps: list[str | int] = []
        for step in location:
            self._walk(step)

    def _walk(self, step: str | int) -> None:
        node = _resolve(self.node, self.root)
        if isinstance(step, int):
            lists = [branch for branch in [node, *_branches(node, self.root)] if "items" in branch]
            self.node = lists[0]["items"] if lists else {}
            self._steps.append(step)
            return
        for branch in [node, *_branches(node, self.root)]:
            properties = branch.get("properties", {})
            if step in properties:
                self.node, self.siblings = properties[step], list(properties)
                self._steps.append(step)
                return
        chosen = [branch for branch in _branches(node, self.root) if _is_variant(branch, step)]
        if chosen:  # the name of a union's branch, which is not part of the path
            self.node, self.siblings = chosen[0], list(chosen[0].get("properties", {}))
            return
        objects = [branch for branch in _branches(node, self.root) if branch.get("type") == "object"]
        node = objects[0] if len(objects) == 1 else node  # an object that may be null
        may_be_any = node.get("type", "object") == "object" and not _branches(node, self.root)
        more = node.get("additionalProperties", may_be_any)
        if more is not False or "properties" in node:
            self._steps.append(step)
            self.siblings = list(node.get("properties", {}))
            self.node = more if isinstance(more, dict) else {}

    def path(self, inline: Sequence[str]) -> str:
        steps = self._steps
        if steps and steps[0] in inline:
            steps = steps[1:]
        path = ""
        for step in steps:
            name = f"[{step}]" if isinstance(step, int) else clean(step[:40])
            path += name if isinstance(step, int) or not path else f".{name}"
        return path


def _is_variant(branch: Schema, name: str) -> bool:
    tags = [
        value for node in branch.get("properties", {}).values() for value in (node.get("const"),) if value
    ]
    return name in tags or branch.get("title") == name


def _resolve(node: Schema, root: Schema) -> Schema:
    reference = node.get("$ref")
    if isinstance(reference, str):
        return _resolve(root.get("$defs", {}).get(reference.rpartition("/")[2], {}), root)
    return node


def _branches(node: Schema, root: Schema) -> list[Schema]:
    node = _resolve(node, root)
    branches = [_resolve(branch, root) for branch in [*node.get("anyOf", ()), *node.get("oneOf", ())]]
    return [inner for branch in branches for inner in (_branches(branch, root) or [branch])]


def _enum(node: Schema, root: Schema) -> list[str]:
    node = _resolve(node, root)
    if "enum" in node:
        return [spelled(value) for value in node["enum"]]
    if "const" in node:
        return [spelled(node["const"])]
    kinds = [branch for branch in _branches(node, root) if branch.get("type") != "null"]
    return _enum(kinds[0], root) if len(kinds) == 1 else []


_FORMATS = {
    "date": "date, such as 2026-01-31",
    "date-time": "date and time, such as 2026-01-31T09:00:00Z",
    "uri": "address, such as https://example.org/",
    "uuid": "UUID",
    "regex": "regular expression",
}


def expected(node: Schema, root: Schema, *, is_long: bool = False) -> str:
    """Describe in a few words what fits here."""
    node = _resolve(node, root)
    values = _enum(node, root)
    if values:
        return f"one of {listing(values)}"
    branches = [branch for branch in _branches(node, root) if branch.get("type") != "null"]
    if branches:
        return " or ".join(dict.fromkeys(expected(branch, root, is_long=is_long) for branch in branches))
    kind = node.get("type")
    if kind == "string":
        return (
            _FORMATS.get(node.get("format", ""), "string")
            + _length(node, "character", is_long)
            + _pattern(node)
        )
    if kind in ("integer", "number"):
        return f"{kind}{_range(node)}"
    if kind == "boolean":
        return "true or false"
    if kind == "array":
        one, length = expected(node.get("items", {}), root), _length(node, "item")
        return f"list{length}, each {one}" if length else f"list of {one}"
    if kind == "object":
        return "object" + _keys(node)
    return "a value"


def _length(node: Schema, unit: str, is_long: bool = False) -> str:
    few, many = ("minLength", "maxLength") if unit == "character" else ("minItems", "maxItems")
    least, most = node.get(few), node.get(many)
    if most == MOST_TEXT and not is_long:
        most = None  # worth mentioning only if the text is too long
    if least and most:
        return f" of {least:,} to {most:,} {unit}s"
    if most:
        return f" of at most {most:,} {unit}s"
    return f" of at least {least:,} {unit}{'s' if least > 1 else ''}" if least else ""


_LIMITS: Final = {
    "minimum": "of at least",
    "exclusiveMinimum": "above",
    "maximum": "of at most",
    "exclusiveMaximum": "below",
}


def _range(node: Schema) -> str:
    least, most = node.get("minimum"), node.get("maximum")
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    said = [f"{words} {node[key]:,}" for key, words in _LIMITS.items() if node.get(key) is not None]
    return f" {' and '.join(said)}" if said else ""


def _pattern(node: Schema) -> str:
    return f" matching {node['pattern']}" if "pattern" in node else ""


def _keys(node: Schema) -> str:
    names = list(node.get("properties", ()))
    return f" with {listing(names)}" if names else ""
