"""Described arguments accept what their schema accepts, and nothing that it does not."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from laconic.kit import BadArguments, Described

TYPES: dict[str, Any] = {
    "Leaf": {
        "type": "object",
        "properties": {"size": {"type": "integer", "minimum": 0, "maximum": 9}, "kind": {"enum": ["a", "b"]}},
        "required": ["size"],
    },
    "Tree": {
        "type": "object",
        "properties": {
            "leaf": {"$ref": "Leaf"},
            "trees": {"type": "array", "items": {"$ref": "Tree"}, "maxItems": 2},
            "name": {"anyOf": [{"type": "boolean"}, {"$ref": "Leaf"}]},
        },
    },
}
FIELDS: dict[str, Any] = {
    "tree": {"$ref": "Tree"},
    "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "word": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]"},
    "named": {"type": "object", "additionalProperties": {"type": "boolean"}},
    "one": {"const": 1},
    "either": {"anyOf": [{"type": "number", "maximum": 5}, {"$ref": "Leaf"}, {"enum": ["a"]}]},
    "any": {},
}
takes = Described(FIELDS, ["share"], types=TYPES)


def closed(node: Any) -> Any:
    """A schema as jsonschema reads it: no unknown members, and types by their address."""
    if isinstance(node, list):
        return [closed(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    found = {key: closed(inner) for key, inner in node.items()}
    if isinstance(node.get("$ref"), str):
        return {"$ref": f"#/$defs/{node['$ref']}"}
    if isinstance(node.get("properties"), dict):
        found["additionalProperties"] = False
    return found


validator = Draft202012Validator(
    closed({"type": "object", "properties": FIELDS, "required": ["share"]}) | {"$defs": closed(TYPES)}
)
atoms = st.sampled_from([True, False, None, 0, 1, 2, 9, 10, 0.5, 1.5, "", "a", "b", "abc", "abcd", "1", "Z"])
names = st.sampled_from(["size", "kind", "leaf", "trees", "name", "share", "word", "x"])
values = st.recursive(
    atoms,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=10,
)
leaves = st.fixed_dictionaries(
    {"size": st.integers(-1, 10)}, optional={"kind": st.sampled_from(["a", "b", "c"])}
)
trees = st.recursive(
    st.fixed_dictionaries({}, optional={"leaf": leaves, "name": st.booleans() | leaves}),
    lambda inner: st.fixed_dictionaries({}, optional={"trees": st.lists(inner, max_size=3), "leaf": leaves}),
    max_leaves=6,
)
calls = st.fixed_dictionaries(
    {"share": st.sampled_from([0.5, 0.25, 0, 1])},
    optional={
        "tree": trees | values,
        "word": st.sampled_from(["a", "abc", "abcd", "", "Z"]),
        "named": st.dictionaries(names, st.booleans() | atoms, max_size=2),
        "one": st.sampled_from([1, 2, True]),
        "either": st.sampled_from([3, 6, 1.5, "a", "b"]) | leaves,
        "any": values.filter(lambda value: value is not None),  # null is left out
    },
)


@settings(max_examples=300, deadline=None)
@given(call=calls)
@example(call={"share": 0.5, "either": "a", "tree": {"name": {"size": 1}, "trees": [{"leaf": {"size": 0}}]}})
@example(call={"share": 0.5, "either": 3, "one": 1, "word": "abc", "named": {"x": True}})
def test_a_call_is_accepted_as_its_schema_says(call: dict[str, Any]) -> None:
    if validator.is_valid(call):
        assert takes.check(call) == call
        return
    try:
        understood = takes.check(call)
    except BadArguments as error:
        assert error.problems and all(problem.message.endswith((".", "?")) for problem in error.problems)
    else:
        assert understood != call and validator.is_valid(understood)  # what was meant is valid


def test_both_kinds_of_call_are_drawn() -> None:
    assert validator.is_valid({"share": 0.5, "tree": {"leaf": {"size": 1}}})
    with pytest.raises(BadArguments):
        takes.check({"share": 0.5, "tree": {"leaf": {"size": 10}}})
