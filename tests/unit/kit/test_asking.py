"""A tool asks the user with a form and gets the form's model back."""

from __future__ import annotations

from typing import Any, Literal

import mcp_types as t
import pytest
from pydantic import BaseModel, Field

from laconic.kit import Ask, Toolset
from laconic.kit.testing import ERAS, connect


class Order(BaseModel):
    size: Literal["small", "large"]
    count: int = Field(default=1, ge=1, le=9)


class Address(BaseModel):
    street: str


shop = Toolset("shop")


@shop.create
async def order(ask: Ask) -> str:
    """Order something."""
    if not ask.is_possible:
        return "Nobody to ask."
    wanted = await ask("Which size?", Order, changed=False)
    to = await ask("Where to?", Address)
    return f"{wanted.count} {wanted.size} to {to.street}"


def answering(**replies: t.ElicitResult) -> Any:
    async def answer(context: Any, params: Any) -> t.ElicitResult:
        name = "Order" if "size" in params.requested_schema["properties"] else "Address"
        return replies[name]

    return answer


@pytest.mark.parametrize("era", ERAS)
async def test_each_question_returns_its_form_filled_in(era: str) -> None:
    answer = answering(
        Order=t.ElicitResult(action="accept", content={"size": "large"}),
        Address=t.ElicitResult(action="accept", content={"street": "Main"}),
    )

    async with connect(shop, era=era, answer=answer) as client:
        assert (await client.call("order")).text == "1 large to Main"


@pytest.mark.parametrize("era", ERAS)
async def test_a_test_fills_in_forms_with_a_mapping(era: str) -> None:
    answer = {"size": "small", "count": 2, "street": "High"}

    async with connect(shop, era=era, answer=answer) as client:
        assert (await client.call("order")).text == "2 small to High"
    async with connect(shop, era=era, answer={"size": "small"}) as client:
        assert "The user said no" in (await client.send("order", {})).text


@pytest.mark.parametrize("era", ERAS)
async def test_a_no_ends_the_call_without_an_effect(era: str) -> None:
    answer = answering(Order=t.ElicitResult(action="decline"))

    async with connect(shop, era=era, answer=answer) as client:
        reply = await client.send("order", {})

    assert reply.failed
    assert reply.text == (
        "Error [PERMISSION_DENIED]: The user said no. Do not try again unless the user asks for it."
    )
    assert reply.error["changed"] is False


@pytest.mark.parametrize("era", ERAS)
async def test_a_form_that_is_filled_in_wrongly_is_refused_with_its_field(era: str) -> None:
    answer = answering(Order=t.ElicitResult(action="accept", content={"size": "large", "count": 12}))

    async with connect(shop, era=era, answer=answer) as client:
        reply = await client.send("order", {})

    assert "does not fit its form: count." in reply.text


async def test_a_tool_can_tell_that_nobody_can_be_asked() -> None:
    async with connect(shop) as client:
        assert (await client.call("order")).text == "Nobody to ask."


async def test_a_no_after_a_question_that_asserts_nothing_is_not_said_to_have_changed_nothing() -> None:
    yes, no = t.ElicitResult(action="accept", content={"size": "large"}), t.ElicitResult(action="decline")

    async with connect(shop, era="legacy", answer=answering(Order=yes, Address=no)) as client:
        reply = await client.send("order", {})

    assert "The user said no." in reply.text
    assert "It is not known whether anything was changed" in reply.text
