"""A valid value that is sent carelessly is understood or refused, never taken for another one."""

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from laconic.kit import BadArguments, Toolset
from laconic.kit.arguments.known import arguments_of
from laconic.kit.arguments.schema import Arguments
from tests.chance import examples


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Circle(Strict):
    kind: Literal["circle"]
    radius: float
    tags: list[str] = []


class Square(Strict):
    kind: Literal["square"]
    side: int
    label: str | None = None


class Group(Strict):
    kind: Literal["group"]
    shapes: list["Shape"]


class Point(Strict):
    x: int
    y: int = 0


class Name(Strict):
    name: str
    points: list[Point] = []


Shape = Annotated[Circle | Square | Group, Field(discriminator="kind")]
Group.model_rebuild()

text = st.text(st.characters(categories=["L"]), min_size=1, max_size=6)  # JSON in a text is that JSON
whole = st.integers(-9, 99)
real = st.floats(-9, 9).map(lambda number: round(number, 2) + 0.5)
point = st.fixed_dictionaries({"x": whole}, optional={"y": whole})
name = st.fixed_dictionaries({"name": text}, optional={"points": st.lists(point, max_size=2)})
circle = st.fixed_dictionaries(
    {"kind": st.just("circle"), "radius": real}, optional={"tags": st.lists(text, max_size=2)}
)
square = st.fixed_dictionaries({"kind": st.just("square"), "side": whole}, optional={"label": text})
shape = st.recursive(
    circle | square,
    lambda inner: st.fixed_dictionaries({"kind": st.just("group"), "shapes": st.lists(inner, max_size=3)}),
    max_leaves=4,
)

KINDS: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "text": (str, text),
    "whole": (int, whole),
    "number": (float, real),
    "truth": (bool, st.booleans()),
    "choice": (Literal["a", "b", 3], st.sampled_from(["a", "b", 3])),
    "texts": (list[str], st.lists(text, max_size=3)),
    "wholes": (list[int], st.lists(whole, max_size=3)),
    "rows": (list[list[int]], st.lists(st.lists(whole, max_size=2), max_size=2)),
    "pair": (tuple[int, str], st.tuples(whole, text).map(list)),
    "mapping": (dict[str, int], st.dictionaries(text, whole, max_size=2)),
    "lists by name": (dict[str, list[int]], st.dictionaries(text, st.lists(whole, max_size=2), max_size=2)),
    "object": (Point, point),
    "objects": (list[Point], st.lists(point, max_size=3)),
    "shape": (Shape, shape),
    "shapes": (list[Shape], st.lists(shape, max_size=3)),
    "objects of two kinds": (Point | Name, point | name),
    "one or several": (int | list[int], whole | st.lists(whole, max_size=2)),
    "number or texts": (int | list[str], whole | st.lists(text | whole.map(str), max_size=2)),
    "number, truth or objects": (int | bool | list[Name], whole | st.booleans() | st.lists(name, max_size=2)),
    "text or number": (str | int, text | whole),
    "nullable object": (Point | None, point | st.none()),
    "nullable numbers": (list[int | None], st.lists(whole | st.none(), max_size=3)),
}


def _arguments(kind: Any) -> Arguments:
    toolset = Toolset("careless")

    async def thing_put(value: Any) -> str:
        """Take a value."""
        return ""

    thing_put.__annotations__ = {"value": kind, "return": str}
    toolset.read(thing_put)
    return arguments_of(toolset.tools[0])


TAKING = {title: _arguments(kind) for title, (kind, _) in KINDS.items()}


def _careless(value: Any) -> list[Any]:
    """Return the value in every form that is careless in one place."""
    forms: list[Any] = []
    if value is not None and not isinstance(value, str):
        forms.append(json.dumps(value))  # JSON inside a string
    if type(value) is int:
        forms.append(float(value))
    if isinstance(value, str) and value.lstrip("-").isdigit():
        forms.append(int(value))
    if isinstance(value, list):
        forms += [value[0]] if len(value) == 1 else []  # one value for a list
        for place, one in enumerate(value):
            forms += [[*value[:place], form, *value[place + 1 :]] for form in _careless(one)]
    if isinstance(value, dict):
        for key, one in value.items():
            forms += [{**value, key: form} for form in _careless(one)]
    return forms


def _understood(title: str, value: Any) -> Any:
    return TAKING[title].check({"value": value}).values["value"]


def _is_valid(title: str, value: Any) -> bool:
    try:
        TAKING[title].model.model_validate_json(json.dumps({"value": value}))
    except ValueError:
        return False
    return True


calls = st.sampled_from(sorted(KINDS)).flatmap(
    lambda title: st.tuples(st.just(title), KINDS[title][1], st.integers(0))
)


@examples(3000)
@given(calls)
def test_a_careless_value_is_understood_or_refused_but_never_misread(call: tuple[str, Any, int]) -> None:
    title, value, pick = call
    forms = [form for form in _careless(value) if not _is_valid(title, form)]
    assume(forms)
    try:
        read = _understood(title, forms[pick % len(forms)])
    except BadArguments:
        return
    assert read == _understood(title, value)


@examples(600)
@given(calls)
def test_a_valid_value_is_taken_as_it_is(call: tuple[str, Any, int]) -> None:
    title, value, _ = call
    valid = TAKING[title].model.model_validate_json(json.dumps({"value": value}))
    assert _understood(title, value) == vars(valid)["a_value"]


CLEAR: list[tuple[str, Any, Any]] = [
    ("shape", '{"kind": "square", "side": 3}', {"kind": "square", "side": 3}),
    ("shape", {"kind": "square", "side": "3"}, {"kind": "square", "side": 3}),
    ("shape", {"kind": "circle", "radius": 1, "tags": "a"}, {"kind": "circle", "radius": 1, "tags": ["a"]}),
    (
        "shape",
        {"kind": "group", "shapes": '[{"kind": "square", "side": 1}]'},
        {"kind": "group", "shapes": [{"kind": "square", "side": 1}]},
    ),
    ("shapes", {"kind": "square", "side": 3}, [{"kind": "square", "side": 3}]),
    ("shapes", '{"kind": "square", "side": 3}', [{"kind": "square", "side": 3}]),
    ("objects", {"x": 1}, [{"x": 1}]),
    ("objects", ['{"x": 1}'], [{"x": 1}]),
    ("objects of two kinds", '{"x": 1}', {"x": 1}),
    ("objects of two kinds", {"name": 7}, {"name": "7"}),
    ("objects of two kinds", {"name": "n", "points": {"x": "1"}}, {"name": "n", "points": [{"x": 1}]}),
    ("nullable object", '{"x": 1}', {"x": 1}),
    ("one or several", "5", 5),
    ("number, truth or objects", "true", True),
    ("lists by name", {"a": 1}, {"a": [1]}),
    ("mapping", {"a": "1"}, {"a": 1}),
    ("pair", '[1, "a"]', [1, "a"]),
    ("choice", "3", 3),
]


@pytest.mark.parametrize(("title", "sent", "meant"), CLEAR)
def test_what_has_one_meaning_is_understood(title: str, sent: Any, meant: Any) -> None:
    assert _understood(title, sent) == _understood(title, meant)


UNCLEAR: list[tuple[str, Any]] = [
    ("number or texts", "5"),  # 5, or a list of one text
    ("rows", [1, 2]),  # one row of two, or two rows of one
    ("number", "NaN"),
    ("texts", {"a": "b"}),
    ("objects", "x"),
]


@pytest.mark.parametrize(("title", "sent"), UNCLEAR)
def test_what_has_two_meanings_or_none_is_refused(title: str, sent: Any) -> None:
    with pytest.raises(BadArguments):
        _understood(title, sent)


def test_a_mistake_inside_json_in_a_string_is_reported_where_it_is() -> None:
    with pytest.raises(BadArguments) as refused:
        _understood("shape", '{"kind": "square", "sid": 3}')
    assert "Unknown argument 'value.sid'. Did you mean 'side'?" in refused.value.text()


def test_a_deep_value_of_a_recursive_union_is_read_in_time() -> None:
    value: dict[str, Any] = {"kind": "square", "side": "1"}
    for _ in range(60):
        value = {"kind": "group", "shapes": [value]}
    assert _understood("shape", value)
