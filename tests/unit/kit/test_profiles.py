"""Profiles: which tools of a toolset are listed, found or not served, and second names."""

from collections.abc import Mapping
from typing import Any

import pytest

from laconic.kit import BadConfiguration, Described, Endpoint, Profile, Settings, Toolset
from laconic.kit.contract import Contract
from laconic.kit.contract.terms import Untried
from laconic.kit.testing import connect
from tests.toolsets.workshop import workshop

FINDING = ["tools_find", "tools_describe", "tools_read", "tools_write", "tools_delete"]

drawer = Toolset(
    "drawer",
    "Things in a drawer.",
    profiles={
        "lean": Profile(["thing_get"], aside=lambda spec: "old" not in spec.tags),
        "classic": Profile(lambda spec: "new" not in spec.tags, also=True),
        "few": Profile(["get"]),
    },
    default="lean",
)


@drawer.read(also="get")
async def thing_get(id: str) -> str:
    """Get a thing."""
    return f"thing {id}"


@drawer.update(tags=["old"])
async def thing_paint(colour: str) -> str:
    """Paint a thing."""
    return f"painted {colour}"


async def paint(arguments: Mapping[str, Any]) -> str:
    return f"painted with {dict(arguments)}"


drawer.add(
    "update",
    "thing_paint",
    "Paint a thing.",
    Described({"colour": {"type": "object", "properties": {"red": {"type": "integer"}}}}),
    paint,
    tags=["new"],
)


async def listed(*toolsets: Toolset, **settings: Any) -> list[str]:
    async with connect(*toolsets, settings=Settings(**settings)) as client:
        return [tool["name"] for tool in await client.tools()]


async def test_the_default_profile_lists_a_few_tools_and_those_that_find_the_others() -> None:
    assert await listed(drawer) == ["thing_get", "read_on", *FINDING]


async def test_tools_put_aside_hide_nothing_of_another_toolset() -> None:
    alone, both = await listed(workshop), await listed(workshop, drawer)
    assert set(alone) <= set(both)
    assert set(both) - set(alone) == {"thing_get", *FINDING}


async def test_a_tool_put_aside_is_found_described_and_called() -> None:
    async with connect(drawer) as client:
        found = await client.call("tools_find", query="paint")
        described = await client.call("tools_describe", names=["thing_paint"])
        call = {"tool": "thing_paint", "arguments": {"colour": {"red": 3}}}
        called = await client.send("tools_write", call)
    assert found.text.startswith("thing_paint (update): Paint a thing.")
    assert described.text == "thing_paint(colour?: {red?: integer}) update: Paint a thing."
    assert called.text == "painted with {'colour': {'red': 3}}"


async def test_profiles_may_serve_different_tools_of_one_name() -> None:
    async with connect(drawer, settings=Settings(tools={"drawer": "classic"})) as client:
        names = [tool["name"] for tool in await client.tools()]
        called = await client.call("thing_paint", colour="red")
    assert names == ["thing_get", "get", "thing_paint", "read_on"]
    assert called.text == "painted red"


async def test_a_tool_that_a_profile_leaves_out_is_not_served() -> None:
    async with connect(drawer, settings=Settings(tools={"drawer": "few"})) as client:
        with pytest.raises(Exception, match="Unknown tool 'thing_paint'"):
            await client.call("thing_paint", colour="red")


async def test_a_second_name_answers_without_a_note_and_is_listed_where_a_profile_says_so() -> None:
    assert await listed(drawer, tools={"drawer": "few"}) == ["get", "read_on"]
    async with connect(drawer) as client:
        assert (await client.call("get", id="a")).text == "thing a"
        assert (await client.call("thing_get", id="a")).text == "thing a"


async def test_a_pinned_tool_is_listed_though_its_profile_puts_it_aside() -> None:
    assert "thing_paint" in await listed(drawer, pinned=("thing_paint",))


async def test_prefixes_and_read_only_hold_for_profiles() -> None:
    some = {"tools": {"drawer": "classic"}, "prefixes": {"drawer": "my_"}, "read_only": True}
    assert await listed(drawer, **some) == ["my_thing_get", "my_get", "read_on"]


@pytest.mark.parametrize(
    ("profile", "sample"), [("lean", {"colour": {"red": 1}}), ("classic", {"colour": "red"})]
)
def test_the_contract_holds_for_the_tools_of_a_profile(profile: str, sample: dict[str, Any]) -> None:
    contract = Contract(
        drawer,
        settings=Settings(tools={"drawer": profile}),
        samples={"thing_get": {"id": "a"}, "thing_paint": sample},
        fingerprint=lambda things: 0,
        obvious={"thing_get": ["id"], "thing_paint": ["colour"]},
    )
    for case in contract.cases():
        try:
            case.run()
        except Untried:
            continue


def test_an_unknown_profile_is_refused_with_the_nearest() -> None:
    with pytest.raises(BadConfiguration, match=r"'drawer' has no profile 'lena'\. Did you mean lean\?"):
        drawer.select("lena")
    with pytest.raises(BadConfiguration, match=r"'workshop' has no profile 'lean'\. It has none\."):
        workshop.select("lean")
    with pytest.raises(
        BadConfiguration, match=r"default='leen' is none of its profiles\. Did you mean 'lean'\?"
    ):
        Toolset("odd", profiles={"lean": Profile([])}, default="leen")
    odd = Toolset("odd", profiles={"lean": Profile(["thing_gte"])})
    odd.read(thing_get)
    with pytest.raises(BadConfiguration, match=r"there is no tool 'thing_gte'\. Did you mean thing_get\?"):
        odd.select("lean")


async def test_a_profile_may_have_its_own_instructions() -> None:
    profiles = {
        "usual": Profile([]),
        "old": Profile([], instructions="Old."),
        "bare": Profile([], instructions=""),
    }
    shelf = Toolset("shelf", "A shelf.", profiles=profiles, default="usual", instructions="Look up.\n")
    told = {}
    for profile in ("", *profiles):
        settings = Settings(tools={"shelf": profile} if profile else {})
        endpoint = Endpoint([shelf, drawer], settings=settings)
        told[profile] = endpoint.listing.instructions
        await endpoint.close()
    assert told == {"": "Look up.", "usual": "Look up.", "old": "Old.", "bare": ""}
