"""A mistake in a declaration is reported on import, in one sentence with the name of the tool."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from laconic.kit import (
    BadConfiguration,
    Batch,
    Described,
    Guard,
    Image,
    Inline,
    Page,
    Record,
    Text,
    Toolset,
    Window,
)


class Shelf:
    """Something only the server has."""


class Size(Enum):
    SMALL = "s"


class Nested(BaseModel):
    size: Size


class Item(Record):
    id: str


class Part(Record, formats={"lean": ("id",), "full": ("id", "name")}):
    id: str
    name: str


@dataclass
class Weight:
    grams: int


def refusal(function: Callable[..., Any], verb: str = "read", **options: Any) -> str:
    """Return what is said about a declaration."""
    with pytest.raises(BadConfiguration) as raised:
        getattr(Toolset("shop"), verb)(**options)(function)
    return str(raised.value)


def test_a_type_that_is_missing_from_provides_is_named() -> None:
    async def stock(shelf: Shelf, item: str) -> str:
        """Count."""
        return item

    assert refusal(stock) == (
        "stock: no caller can send shelf, a Shelf. If the server supplies it, add it to the toolset: "
        "Toolset(provides=(Shelf,))."
    )


def test_a_type_inside_a_list_is_found_too() -> None:
    async def stock(shelves: list[Shelf] | None = None) -> str:
        """Count."""
        return ""

    assert "no caller can send shelves, a Shelf" in refusal(stock)


def test_what_callers_can_send_is_accepted() -> None:
    async def stock(
        a: Annotated[int, Field(ge=1)],
        b: dict[str, Any],
        c: list[Nested] | None = None,
        d: Literal["x"] = "x",
        e: UUID | None = None,
        f: Any = None,
        g: Weight | None = None,
    ) -> None:
        """Take everything."""

    Toolset("shop").read(stock)


def test_a_mistyped_option_is_answered_with_the_nearest() -> None:
    async def stock() -> str:
        """Count."""
        return ""

    assert refusal(stock, hnt="find") == "stock: unknown option 'hnt'. Did you mean 'hint'?"


def test_a_question_that_mentions_no_argument_is_refused() -> None:
    async def item_delete(id: str) -> str:
        """Delete."""
        return id

    said = refusal(item_delete, "delete", confirm="Delete {idd}?")

    assert said == "item_delete: confirm= mentions 'idd', no argument of it. Did you mean 'id'?"


def test_a_subject_that_mentions_no_argument_is_refused() -> None:
    async def item_get(id: str) -> str:
        """Get."""
        return id

    assert "item_get: subject= mentions 'key'" in refusal(item_get, subject="item:{key}")


def test_a_format_that_the_record_does_not_have_is_refused() -> None:
    async def part_get(id: str) -> Part:
        """Get."""
        return Part(id=id, name="")

    assert refusal(part_get, format="ful") == "part_get: Part has no format 'ful'. Did you mean 'full'?"


@pytest.mark.parametrize("many", [Page, Batch])
def test_a_page_of_something_that_is_not_a_record_is_refused(many: Any) -> None:
    async def item_list(window: Window = Window()) -> Any:
        """List."""

    item_list.__annotations__["return"] = many[dict]

    assert "something that is not a Record" in refusal(item_list)


@pytest.mark.parametrize("kind", [bytes, tuple[str, Image], set[str], Shelf, list[Shelf], Shelf | None])
def test_what_cannot_be_shown_is_refused(kind: Any) -> None:
    async def item_get() -> Any:
        """Get."""

    item_get.__annotations__["return"] = kind

    assert "item_get returns" in refusal(item_get)


@pytest.mark.parametrize(
    "kind",
    [
        None,
        str,
        int | None,
        Item,
        Item | None,
        Page[Item],
        Weight,
        list[Text | Image],
        list[Any],
        dict[str, int],
        Size,
        Any,
        Literal["a"],
    ],
)
def test_what_can_be_shown_is_accepted(kind: Any) -> None:
    async def item_get() -> Any:
        """Get."""

    item_get.__annotations__["return"] = kind

    Toolset("shop").read(item_get)


def test_a_type_that_the_module_does_not_know_is_named() -> None:
    async def stock(shelf: Missing) -> str:  # type: ignore[name-defined]  # noqa: F821
        """Count."""
        return ""

    assert refusal(stock) == "stock: the type 'Missing' is not known at the top of its module."


def test_a_list_without_a_return_type_is_refused() -> None:
    async def item_list(window: Window = Window()):  # type: ignore[no-untyped-def]
        """List."""

    assert "item_list takes a Window: declare what it returns" in refusal(item_list)


def test_a_default_format_and_a_field_that_do_not_exist_are_refused_with_the_nearest() -> None:
    with pytest.raises(
        BadConfiguration, match=r"there is no format 'ful', its default\. Did you mean 'full'"
    ):
        type("Thing", (Record,), {"__annotations__": {"id": str}}, formats={"full": ("id",)}, default="ful")
    with pytest.raises(
        BadConfiguration, match=r"there is no field 'nam', which its class names\. Did you mean"
    ):
        type("Other", (Record,), {"__annotations__": {"name": str}}, formats={"full": ("nam",)})


def test_a_source_of_prompts_that_nobody_provides_is_refused() -> None:
    with pytest.raises(BadConfiguration, match="prompt_source=Shelf is not among provides="):
        Toolset("shop", prompt_source=Shelf)


class Sized(BaseModel):
    """Arguments that are at the top of a call."""

    size: int
    again: bool = False


@pytest.mark.parametrize(
    ("verb", "name", "options"),
    [
        ("read", "budget", {}),
        ("update", "confirm", {"confirm": "Really?"}),
        ("create", "idempotency_key", {}),
        ("update", "version", {"replays": True, "guard": "version"}),
    ],
)
def test_a_name_that_the_kit_reserves_is_refused_where_it_is_declared(
    verb: str, name: str, options: dict[str, Any]
) -> None:
    said = f"stock: its parameter {name} is also a parameter of the kit: rename it."

    async def stock(guard: Guard, **_: Any) -> str:
        """Count."""
        return ""

    async def run(arguments: dict[str, Any], guard: Guard) -> str:
        """Count."""
        return ""

    parameter = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=str)
    supplied = inspect.Parameter("guard", inspect.Parameter.KEYWORD_ONLY, annotation=Guard)
    stock.__annotations__ = {name: str, "guard": Guard, "return": str}
    stock.__signature__ = inspect.Signature([parameter, supplied])  # type: ignore[attr-defined]  # made here
    assert refusal(stock, verb, **options) == said
    with pytest.raises(BadConfiguration, match=said):
        described = Described({name: {"type": "string"}})
        Toolset("shop").add(verb, "stock", "Count.", described, run, **options)  # type: ignore[arg-type]


def test_a_reserved_name_among_the_fields_of_inline_arguments_is_refused() -> None:
    async def stock(sized: Annotated[Sized, Inline()]) -> str:
        """Count."""
        return ""

    assert refusal(stock, "create") == (
        "stock: its parameter again is also a parameter of the kit: rename it."
    )
