"""Our dataclasses behave like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field
from typing import Any

import pytest

from laconic.data import dataclass

STANDARD = dataclasses.dataclass


class Point:
    """A place."""

    x: int
    y: int = 0
    name: str = field(default="", compare=False)
    secret: str = field(default="s", repr=False)


class Single:
    """One value."""

    value: float


class Nothing:
    """No value."""


def both(declared: type, **options: Any) -> list[Any]:
    """The class made by the standard decorator, and by ours."""
    namespace = {
        name: value for name, value in vars(declared).items() if name not in ("__dict__", "__weakref__")
    }
    return [
        decorator(**options)(type(declared.__name__, declared.__bases__, dict(namespace)))
        for decorator in (STANDARD, dataclass)
    ]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"kw_only": True},
    {"eq": False},
    {"frozen": True, "eq": False},
    {"repr": False},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_objects_compare_hash_and_print_as_those_of_the_standard_library(options: dict[str, Any]) -> None:
    def told(kind: Any) -> list[Any]:
        one, same, other = kind(x=1, name="a"), kind(x=1, name="b"), kind(x=2, secret="t")
        is_hashable = kind.__hash__ is not None
        return [
            one == same,
            one == other,
            one != same,
            one == 1,
            is_hashable,
            is_hashable and hash(one) == hash(same),
            repr(other) if options.get("repr", True) else "",
            dataclasses.asdict(other),
            dataclasses.replace(one, y=5).y,
            [each.name for each in dataclasses.fields(kind)],
            hasattr(one, "__dict__"),
            kind.__match_args__,
            kind.__doc__,
        ]

    standard, ours = both(Point, **options)

    assert told(ours) == told(standard)


def test_one_value_and_none_are_compared_too() -> None:
    nan = float("nan")
    for kind in both(Single, frozen=True):
        assert kind(nan) == kind(nan)  # the same object
        assert kind(1.0) != kind(2.0)
        assert len({kind(1.0), kind(1.0)}) == 1
    for kind in both(Nothing, frozen=True):
        assert kind() == kind()
        assert repr(kind()) == "Nothing()"
        assert len({kind(), kind()}) == 1


def test_methods_of_a_class_stay_its_own() -> None:
    @dataclass(frozen=True)
    class Own:
        value: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert repr(Own(1)) == "own"
    assert Own(1) == Own(2)
    assert hash(Own(1)) == 7


def test_a_subclass_has_the_fields_of_both_and_is_no_equal_of_its_base() -> None:
    base = both(Point, frozen=True)[1]
    made: Any = dataclass(frozen=True)(type("Sub", (base,), {"__annotations__": {"z": int}, "z": 3}))

    assert made(1, z=4) == made(1, z=4) != made(1, z=5)
    assert made(1) != base(1)
    assert repr(made(1)) == "Sub(x=1, y=0, name='', z=3)"


def test_an_object_that_contains_itself_can_be_printed() -> None:
    one = both(Single)[1](None)
    one.value = [one]

    assert repr(one) == "Single(value=[...])"


@dataclass(frozen=True, slots=True)
class Kept:
    """Can be copied."""

    x: int
    items: tuple[int, ...] = ()


def test_objects_with_slots_are_copied_and_pickled() -> None:
    one = Kept(1, (2,))

    assert copy.deepcopy(one) == copy.copy(one) == pickle.loads(pickle.dumps(one)) == one
