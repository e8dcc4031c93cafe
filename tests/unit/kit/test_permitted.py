"""Tools that the user allows or denies, by names and patterns."""

from typing import Any

import pytest

from laconic.kit import BadConfiguration, Settings, Toolset
from laconic.kit.testing import connect

shed = Toolset("shed", "Tools in a shed.")


@shed.read
async def saw_find() -> str:
    """Find the saw."""
    return "In the corner."


@shed.update
async def saw_sharpen() -> str:
    """Sharpen the saw."""
    return "Sharp."


@shed.delete(also="drop")
async def saw_discard() -> str:
    """Throw the saw away."""
    return "Gone."


@shed.delete(behind="saw_discard")
async def saw_scrap() -> str:
    """Scrap the saw."""
    return "Scrapped."


async def served(**settings: Any) -> set[str]:
    async with connect(shed, settings=Settings(budget=0, **settings)) as client:
        return {tool["name"] for tool in await client.tools()}


@pytest.mark.parametrize(
    ("allow", "deny", "names"),
    [
        ((), (), {"saw_find", "saw_sharpen", "saw_discard", "saw_scrap"}),
        (("saw_find",), (), {"saw_find"}),
        (("saw_s*", "saw_find"), (), {"saw_find", "saw_sharpen", "saw_scrap"}),
        ((), ("saw_s*",), {"saw_find", "saw_discard"}),
        (("saw_*",), ("saw_sharpen",), {"saw_find", "saw_discard", "saw_scrap"}),
        ((), ("drop",), {"saw_find", "saw_sharpen", "saw_scrap"}),
    ],
)
async def test_patterns_allow_and_deny(
    allow: tuple[str, ...], deny: tuple[str, ...], names: set[str]
) -> None:
    assert await served(allow=allow, deny=deny) == names


async def test_a_tool_is_denied_with_the_one_that_it_stands_behind() -> None:
    assert await served(deny=("saw_discard",)) == {"saw_find", "saw_sharpen"}


@pytest.mark.parametrize("long", [False, True])
async def test_a_denied_tool_can_neither_be_found_nor_called(long: bool) -> None:
    settings = Settings(deny=("saw_sharpen",), long_list=long)
    async with connect(shed, settings=settings) as client:
        with pytest.raises(Exception, match="Unknown tool 'saw_sharpen'"):
            await client.send("saw_sharpen", {})
        if long:
            found = await client.call("tools_find", query="sharpen the saw")
            relayed = await client.send("tools_write", {"tool": "saw_sharpen", "arguments": {}})
            assert "saw_sharpen" not in found.text and relayed.failed


@pytest.mark.parametrize("option", ["allow", "deny"])
async def test_a_mistyped_name_is_refused_at_the_start(option: str) -> None:
    with pytest.raises(BadConfiguration, match=f"{option} names no tool: 'saw_sharpn'. Did you mean"):
        await served(**{option: ("saw_sharpn",)})


async def test_with_a_prefix_the_names_are_the_tools_own_and_what_stands_behind_another_stays_there() -> None:
    settings = Settings(prefixes={"shed": "my_"}, long_list=True, deny=("saw_find",))
    async with connect(shed, settings=settings) as client:
        found = await client.call("tools_find", query="throw away or scrap the saw", limit=50)
    names = {line.split(" ")[0] for line in found.text.splitlines()}
    assert "my_saw_discard" in names and not {"my_saw_scrap", "my_saw_find"} & names
