"""Former names, parameters and types keep working, with a note."""

import logging
from typing import Annotated, Literal

import pytest

from laconic.kit import BadConfiguration, Endpoint, Toolset
from laconic.kit.testing import ERAS, connect
from tests.toolsets.workshop import workshop


@pytest.mark.parametrize("era", ERAS)
async def test_a_former_name_answers_with_a_note_and_a_warning(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with connect(workshop, era=era) as client:
        reply = await client.send("search", {"kind": "text", "q": "board 59"})
    assert not reply.failed
    assert "JOB-0059" in reply.text
    assert reply.text.endswith(
        "Note: search is now jobs_search (the old form works until 2.0); use that name."
    )
    assert any(
        "[DEPRECATED]" in record.message for record in caplog.records if record.levelno == logging.WARNING
    )


async def test_a_former_name_that_is_listed_says_what_to_use() -> None:
    async with connect(workshop) as client:
        listed = {tool["name"]: tool for tool in await client.tools()}
    assert listed["search"]["description"] == "[DEPRECATED] Use jobs_search instead."
    assert listed["search"]["inputSchema"] == listed["jobs_search"]["inputSchema"]


@pytest.mark.requirement("003-10.5")
async def test_a_former_parameter_and_type_work_with_a_note() -> None:
    async with connect(workshop) as client:
        reply = await client.send("jobs_report", {"from": "2026-01-01", "to": "2026-02-01", "rows": "2"})
    assert reply.text.count("JOB-") == 2
    assert "Note: rows is now lines (the old form works until 2.0)." in reply.text
    assert "Note: lines is no longer a string." in reply.text


async def test_a_former_value_that_cannot_be_converted_gets_the_usual_error() -> None:
    async with connect(workshop) as client:
        reply = await client.send("jobs_report", {"from": "2026-01-01", "to": "2026-02-01", "lines": "many"})
    assert "Invalid lines 'many'. Expected: integer from 1 to 50." in reply.text


def test_two_tools_cannot_have_had_the_same_name() -> None:
    clash = Toolset("clash")

    @clash.read(was="old")
    async def one() -> str:
        """One."""
        return ""

    @clash.read(was="old")
    async def two() -> str:
        """Two."""
        return ""

    with pytest.raises(BadConfiguration, match="old is a name of both one and two"):
        _ = Endpoint([clash]).catalogue


def _shop(is_newer: bool) -> Toolset:
    shop = Toolset("shop")
    if not is_newer:

        @shop.read(name="price_get")
        async def before(product: Annotated[str, "Which."]) -> str:
            """Read a price."""
            return f"{product}: 3 EUR"

        return shop

    @shop.read(name="price_get")
    async def after(product: Annotated[str, "Which."], currency: Literal["EUR", "USD"] = "EUR") -> str:
        """Read a price."""
        return f"{product}: 3 {currency}"

    @shop.read
    async def price_list() -> str:
        """List prices."""
        return "plane: 3 EUR"

    return shop


@pytest.mark.requirement("003-10.1")
@pytest.mark.parametrize("era", ERAS)
async def test_a_new_optional_parameter_and_a_new_tool_break_no_earlier_call(era: str) -> None:
    texts = []
    for is_newer in (False, True):
        async with connect(_shop(is_newer), era=era) as client:
            texts.append((await client.call("price_get", product="plane")).text)
    assert texts == ["plane: 3 EUR"] * 2
