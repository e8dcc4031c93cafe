"""Phrases help the toolset that brings them and never move the tools of another."""

from dataclasses import replace

import pytest

from laconic.kit import Settings, Toolset
from laconic.kit.longlist.finder import Finder
from laconic.kit.testing import connect
from tests.catalogue.google import PHRASES, TOOLS, google
from tests.catalogue.judged import judged

OTHERS = ("github", "slack", "stripe")
LONG = Settings(long_list=True)


def garden(**options: object) -> Toolset:
    toolset = Toolset("garden", "Beds and plants.", **options)  # type: ignore[arg-type]  # any of its options

    @toolset.update(says=("my throat is dry", "give the roses a drink"))
    async def bed_water(bed: str) -> str:
        """Water a bed."""
        return bed

    @toolset.read
    async def bed_list() -> str:
        """List the beds."""
        return ""

    @toolset.delete
    async def bed_clear(bed: str) -> str:
        """Clear a bed."""
        return bed

    return toolset


async def first(toolset: Toolset, query: str) -> str:
    async with connect(toolset, settings=LONG) as client:
        reply = await client.call("tools_find", query=query)
    return reply.text.split()[0]


@pytest.mark.parametrize("wish", ["the roses need a drink", "my throat is so dry"])
async def test_a_tool_is_found_by_what_people_say(wish: str) -> None:
    assert await first(garden(), wish) == "bed_water"


async def test_a_toolset_brings_phrases_for_several_tools() -> None:
    phrases = {
        "bed_clear": ["rip everything out", "start over with bare soil"],
        "bed_list": ["where do things grow"],
    }
    toolset = garden(phrases=phrases)
    assert await first(toolset, "rip everything out, please") == "bed_clear"
    assert await first(toolset, "where do my things grow") == "bed_list"
    assert await first(toolset, "give the roses a drink") == "bed_water"


async def test_phrases_for_a_tool_that_does_not_exist_are_refused() -> None:
    async with connect(garden(phrases={"bed_dig": ["turn the soil"]}), settings=LONG) as client:
        reply = await client.call("tools_find", query="water")
    assert reply.failed
    assert "bed_dig" in reply.text


@pytest.mark.parametrize("name", OTHERS)
def test_phrases_of_one_toolset_leave_every_tool_of_another_at_its_place(name: str) -> None:
    one = judged(name)
    own = [replace(tool, toolset=name) for tool in one.tools]
    with_phrases, without = Finder([*own, *TOOLS]), Finder([*own, *(replace(t, says=()) for t in TOOLS)])
    names = {tool.name for tool in own}
    for query in (*one.keywords, *one.wishes):
        places = [
            [
                (place, found.name, found.score)
                for place, found in enumerate(finder.find(query, 50))
                if found.name in names and found.score > 0
            ]
            for finder in (with_phrases, without)
        ]
        assert places[0] == places[1], query


def test_phrases_decide_the_order_of_their_own_tools() -> None:
    alone = Finder(TOOLS)
    beside = Finder([*TOOLS, *(replace(tool, toolset="slack") for tool in judged("slack").tools)])
    query = "some names are in here twice"
    assert alone.find(query)[0].name == "sheets_deleteDuplicates"
    among = [found.name for found in beside.find(query, 50) if found.tool.toolset == "google"]
    assert among[0] == "sheets_deleteDuplicates"


async def test_the_phrases_of_google_load_into_its_toolset() -> None:
    assert set(PHRASES) == {tool.name for tool in TOOLS}
    assert await first(google(), "some names are in here twice") == "sheets_deleteDuplicates"
