"""Arguments as bytes: equal when the arguments are, in every process and version."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

from laconic.kit.cursors import canonical


@dataclass
class Wish:
    """Something with sets deep inside."""

    name: str = "tea"
    labels: set[str] = field(default_factory=set)
    groups: dict[str, list[frozenset[int]]] = field(default_factory=dict)


class Order(BaseModel):
    """The same as a model."""

    labels: set[str]


@dataclass
class Point:
    """Something without sets."""

    x: int
    near: tuple[int, ...] = (1,)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({3, 1, 2}, '["1","2","3"]'),
        (Wish(labels={"b", "a"}), r'{"groups":{},"labels":["\"a\"","\"b\""],"name":"tea"}'),
        (Wish(groups={"g": [frozenset({2, 1})]}), '{"groups":{"g":[["1","2"]]},"labels":[],"name":"tea"}'),
        (Order(labels={"b", "a"}), r'{"labels":["\"a\"","\"b\""]}'),
        (Point(1), '"Point(x=1, near=(1,))"'),
        (date(2026, 1, 2), '"2026-01-02"'),
        ("naïve", '"naïve"'),
        ({"b": 1, "a": [1, "x", None]}, '{"a":[1,"x",null],"b":1}'),
    ],
)
def test_sets_are_sorted_and_other_values_are_as_version_0_1_recorded_them(value: Any, text: str) -> None:
    assert canonical({"value": value}).decode() == f'{{"value":{text}}}'
