"""Objects inside arguments: their names are in the toolset's case, and unknown members are refused."""

import json
from typing import Annotated

import pytest

from laconic.kit import UNLISTED, BadConfiguration, CamelPart, Part, SeparatePart, Toolset
from laconic.kit.testing import connect


class Point(CamelPart):
    """A place on a map."""

    grid_row: int
    grid_column: int = 0


class Walk(Point):
    """A way."""

    end_point: Point | None = None
    old_name: Annotated[str | None, UNLISTED] = None


class Plain(Part):
    """A part in the usual case."""

    grid_row: int


maps = Toolset("maps", "Maps.", case="camel")


@maps.read
async def map_show(walk: Walk) -> str:
    """Show a walk."""
    return str(walk.wire())


async def test_names_of_parts_are_in_the_case_of_the_toolset() -> None:
    async with connect(maps) as client:
        walk = (await client.tools())[0]["inputSchema"]["properties"]["walk"]
        reply = await client.call("map_show", walk={"gridRow": 1, "endPoint": {"gridRow": 2}, "oldName": "x"})
    assert list(walk["properties"]) == ["gridRow", "gridColumn", "endPoint"]
    assert list(walk["properties"]["endPoint"]["properties"]) == ["gridRow", "gridColumn"]
    assert reply.text == str(
        {"gridRow": 1, "gridColumn": 0, "endPoint": {"gridRow": 2, "gridColumn": 0}, "oldName": "x"}
    )


async def test_an_unknown_member_is_refused_with_its_place() -> None:
    async with connect(maps) as client:
        reply = await client.call("map_show", walk={"gridRow": 1, "endPoint": {"gridRwo": 2}})
    assert "Unknown argument 'walk.endPoint.gridRwo'. Did you mean 'gridRow'?" in reply.text


async def test_a_part_in_another_case_than_its_toolset_is_a_mistake() -> None:
    snakes = Toolset("snakes")

    async def show(plain: Plain) -> str:
        """Show it."""
        return str(plain.grid_row)

    snakes.read(show)
    async with connect(snakes) as client:
        assert (await client.call("show", plain={"grid_row": 4})).text == "4"
    with pytest.raises(BadConfiguration, match=r"Plain are not in camel case, .* class Plain\(CamelPart\)"):
        maps.read(show)


class Stone(SeparatePart):
    """One of several stones."""

    id: str = ""
    big_size: int = 0
    colour: str


async def test_a_part_that_is_checked_alone_says_each_mistake_once() -> None:
    quarry = Toolset("quarry", case="camel")

    @quarry.update
    async def stones_add(stones: list[Stone]) -> list[str]:
        """Add stones."""
        return [stone.problem or "added" for stone in stones]

    given = [{"colour": "red"}, {"colur": "red"}, {"colour": "red", "bigSize": "x"}, 3]
    async with connect(quarry) as client:
        reply = await client.call("stones_add", stones=given)
    assert json.loads(reply.text) == [
        "added",
        "Unknown argument 'colur'. Did you mean 'colour'?",
        "Invalid bigSize 'x'. Expected: integer.",
        "Invalid value 3. Expected: object with id, bigSize, colour.",
    ]
