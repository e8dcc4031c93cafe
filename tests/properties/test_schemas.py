"""The listed schema accepts all that the validator accepts; every refusal comes with a way to fix it."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from laconic.kit import BadArguments
from laconic.kit.arguments.known import arguments_of
from laconic.kit.arguments.sound import are_sound, sound_types
from laconic.kit.arguments.tidy import tidy
from tests.chance import examples
from tests.toolsets.workshop import workshop

SPECS = {spec.name: spec for spec in workshop.tools}
# Words that tell a caller what to do; every line of an error must have one.
REPAIRING = re.compile(
    r"Expected: |Valid values: |Did you mean |Missing |Arguments: |Pass |pass |Invalid regex|takes no arg"
)
MORE = re.compile(r"\(\d+ more problems?\)")

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 700), st.floats(0, 2), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def _values(node: dict[str, Any], definitions: dict[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that mostly fit a schema, and sometimes arbitrary ones."""
    if "$ref" in node:
        node = definitions[node["$ref"].rsplit("/", 1)[1]]
    fitting: st.SearchStrategy[Any] = json_values
    kind = node.get("type")
    if "enum" in node:
        fitting = st.sampled_from(node["enum"])
    elif "const" in node:
        fitting = st.just(node["const"])
    elif "anyOf" in node or "oneOf" in node:
        branches = node.get("anyOf") or node["oneOf"]
        fitting = st.one_of([_values(branch, definitions, depth + 1) for branch in branches])
    elif kind == "string":
        days = st.dates().map(str) | st.datetimes().map(lambda at: at.isoformat() + "Z")
        fitting = (
            days
            if "format" in node
            else st.text(max_size=90) | st.sampled_from(["JOB-0001", "oak", "[a-z]+"])
        )
    elif kind in ("integer", "number"):
        fitting = st.integers(-1, 700) if kind == "integer" else st.floats(0, 1)
    elif kind == "boolean":
        fitting = st.booleans()
    elif kind == "array" and depth < 4:
        fitting = st.lists(_values(node.get("items", {}), definitions, depth + 1), max_size=3)
    elif kind == "object" and node.get("properties") and depth < 4:
        fitting = _objects(node, definitions, depth + 1)
    return st.one_of(fitting, fitting, fitting, json_values)


def _objects(node: dict[str, Any], definitions: dict[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    names = node.get("properties", {})
    needed = {name: _values(names[name], definitions, depth) for name in node.get("required", ())}
    others = {name: _values(inner, definitions, depth) for name, inner in names.items() if name not in needed}
    return st.fixed_dictionaries(needed, optional=others)


calls = st.sampled_from(sorted(SPECS)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        _objects(arguments_of(SPECS[name]).schema, arguments_of(SPECS[name]).schema.get("$defs", {})),
    )
)


@examples(600)
@given(calls)
def test_the_listed_schema_is_a_superset_and_every_refusal_can_be_repaired(
    call: tuple[str, dict[str, Any]],
) -> None:
    name, raw = call
    known = arguments_of(SPECS[name])
    given_arguments = tidy(raw, known.schema)
    try:
        known.check(given_arguments)
    except BadArguments as error:
        text = error.text()
        assert len(text.encode()) <= 600
        lines = text.removeprefix(f"Error [{error.code}]: ").splitlines()
        assert all(REPAIRING.search(line) or MORE.fullmatch(line) for line in lines), text
    else:
        Draft202012Validator(known.schema).validate(given_arguments)


@examples(600)
@given(calls)
def test_arguments_that_need_no_conversion_are_those_that_tidying_leaves_alone(
    call: tuple[str, dict[str, Any]],
) -> None:
    name, raw = call
    schema = arguments_of(SPECS[name]).schema
    if are_sound(raw, sound_types(schema)):
        assert tidy(raw, schema) == raw


def test_the_property_sees_both_accepted_and_refused_calls() -> None:
    seen = {"accepted": 0, "refused": 0}

    @examples(300, database=None)
    @given(calls)
    def look(call: tuple[str, dict[str, Any]]) -> None:
        known = arguments_of(SPECS[call[0]])
        try:
            known.check(call[1])
        except BadArguments:
            seen["refused"] += 1
        else:
            seen["accepted"] += 1

    look()
    assert min(seen.values()) > sum(seen.values()) / 20, seen


def test_no_listed_schema_has_noise() -> None:
    for spec in workshop.tools:
        text = str(arguments_of(spec).schema)
        assert "'title': '" not in text.replace("'title': {", "")
        assert "'default': None" not in text
        assert not {"anyOf", "oneOf", "allOf"} & set(arguments_of(spec).schema)
