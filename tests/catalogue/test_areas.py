"""When nothing fits, the areas are listed with their counts, within the tokens promised."""

import pytest

from laconic.kit import Settings, Toolset
from laconic.kit.longlist.areas import areas_of
from laconic.kit.testing import connect
from tests.catalogue.google import google
from tests.catalogue.judged import OPENED, judged
from tests.toolsets.workshop import workshop

LONG = Settings(long_list=True)


def toolset_of(name: str, tools: list[str]) -> Toolset:
    toolset = Toolset(name, "")
    for tool in tools:

        @toolset.read(name=tool)
        async def call() -> str:
            """Do something."""
            return ""

    return toolset


async def test_an_agent_can_browse_by_area() -> None:
    async with connect(google(), settings=LONG) as client:
        nothing = await client.call("tools_find", query="xyzzy")
        slides = await client.call("tools_find", query="slides", limit=50)
    assert nothing.text.splitlines() == [
        "Nothing found: use other words, or the name of an area.",
        "google 138: slides 43, docs 34, sheets 34, drive 22, auth 3, server 1, file 1",
    ]
    assert sum(line.startswith("slides_") for line in slides.text.splitlines()) == 43


async def test_the_counts_are_those_of_the_tools_that_can_be_called() -> None:
    async with connect(workshop, settings=Settings(long_list=True, read_only=True)) as client:
        reading = await client.call("tools_find", query="xyzzy")
    async with connect(workshop, settings=LONG) as client:
        writing = await client.call("tools_find", query="xyzzy")
    assert "workshop 10: " in reading.text
    assert "workshop 17: " in writing.text


def test_an_area_is_a_thing_and_not_a_verb() -> None:
    names = ["create_issue", "list_issues", "close_issue", "list_labels", "add_label", "get_me"]
    assert areas_of(names) == {"issue": 3, "labels": 2, "get": 1}
    assert areas_of(["shop_orders_list", "shop_orders_get", "shop_refund"]) == {"orders": 2, "refund": 1}


@pytest.mark.parametrize("count", [1, 200])
async def test_the_areas_of_many_toolsets_cost_no_more_than_300_tokens(count: int) -> None:
    names = {name: [f"{name}_{tool.name}" for tool in judged(name).tools] for name in OPENED}
    sets = [toolset_of(name, tools) for name, tools in names.items()] if count == 1 else []
    sets += [toolset_of(f"set{n}", [f"thing{n}_get", f"other{n}_list"]) for n in range(count)]
    async with connect(*sets, settings=LONG) as client:
        reply = await client.call("tools_find", query="xyzzy")
    assert reply.text.startswith("Nothing found")
    assert reply.tokens <= 300
