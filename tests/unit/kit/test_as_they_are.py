"""A view reads simple fields directly, and only where the record would serialise them as they are."""

from collections.abc import Sequence
from datetime import date
from enum import Enum
from typing import Annotated, Any

import pytest
from pydantic import (
    BaseModel,
    Field,
    PlainSerializer,
    computed_field,
    field_serializer,
    model_serializer,
    model_validator,
)

from laconic.kit import Record
from laconic.kit.answers.lists import listed
from laconic.kit.answers.views import View
from laconic.kit.plain import as_they_are


class Hue(Enum):
    """A type of a field."""

    RED = "red"


class Plain(Record):
    """A record of simple fields."""

    id: str
    count: int | None = 3
    hue: Hue = Hue.RED
    tags: list[str] = Field(default_factory=lambda: ["a"])
    day: Annotated[date, Field(serialization_alias="when")] = date(2026, 5, 4)


class WithFunction(Plain):
    """A field has a serializer in its type."""

    count: Annotated[int, PlainSerializer(lambda count: count * 100)] = 3


class WithMethod(Plain):
    """A field has a serializer among the methods."""

    @field_serializer("tags")
    def upper(self, tags: Sequence[str]) -> list[str]:
        return [tag.upper() for tag in tags]


class WithItems(Plain):
    """The items of a field have a serializer."""

    tags: list[Annotated[str, PlainSerializer(str.upper)]] = Field(default_factory=lambda: ["a"])


class WithModel(Plain):
    """The whole record has a serializer."""

    @model_serializer
    def short(self) -> dict[str, Any]:
        return {"id": self.id, "count": 7}


class WithCheck(Plain):
    """The whole record has a check around it."""

    @model_validator(mode="after")
    def check(self) -> "WithCheck":
        return self


class WithCondition(Plain):
    """A field is left out if it has a certain value."""

    count: int | None = Field(default=3, exclude_if=lambda count: count == 3)


class Pot(BaseModel):
    """A part of a record."""

    size: int = 1
    price: int = Field(default=2, exclude=True)


class Large(Pot):
    """More than a field of that type shows."""

    secret: str = "hunter2"


class WithPart(Plain):
    """A field is a model, of which its own type decides what is shown."""

    pot: Pot = Large()


class WithComputed(Plain):
    """A field is computed."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> int:
        return 2 * (self.count or 0)


KINDS = (
    Plain,
    *(WithFunction, WithMethod, WithItems, WithModel, WithCheck, WithCondition, WithPart, WithComputed),
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_is_what_the_record_says(kind: type[Record]) -> None:
    record = kind(id="B1")  # type: ignore[call-arg]
    view = View(kind, form=None, fields=None, case="snake")
    whole = record.model_dump(by_alias=True, warnings=False)
    assert view.said(record) == {name: whole.get("when" if name == "day" else name) for name in view.columns}


def test_simple_fields_are_read_directly() -> None:
    assert as_they_are(Plain) == {"id", "count", "hue", "tags", "day"}
    assert as_they_are(WithComputed) == as_they_are(Plain)
    assert as_they_are(WithPart) == as_they_are(Plain)
    assert as_they_are(WithItems) == as_they_are(Plain) - {"tags"}


def test_a_record_of_another_class_says_itself_what_it_is() -> None:
    view = View(Plain, form=None, fields=None, case="snake")
    rows = view.rows([Plain(id="B1"), WithMethod(id="B2")])
    assert [row[view.columns.index("tags")] for row in rows] == [["a"], ["A"]]


def test_a_field_that_was_never_set_is_empty() -> None:
    view = View(Plain, form=None, fields=["id", "count", "tags"], case="snake")
    found = listed(view, [Plain(id="B1"), Plain.model_construct(_fields_set={"id"}, id="B2", tags=["b"])])
    bare = Plain.model_construct(id="B3")
    del bare.count
    assert found.text.splitlines() == ["id\tcount\ttags", "B1\t3\ta", "B2\t3\tb"]
    assert view.said(bare)["count"] is None
