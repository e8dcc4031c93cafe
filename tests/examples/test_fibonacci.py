"""The four hints: of a pure function, and of a tool that destroys."""

from typing import Any

import pytest
from mcp.types import ElicitResult

from examples.fibonacci import calculate_fibonacci, toolset
from laconic.kit.testing import ERAS, connect

in_both_eras = pytest.mark.parametrize("era", ERAS)


async def test_a_declared_tool_is_still_a_function() -> None:
    assert [await calculate_fibonacci(n) for n in (0, 1, 2, 10, 90)] == [0, 1, 1, 55, 2880067194370816120]


@in_both_eras
@pytest.mark.requirement("003-1.1", "003-1.3", "003-1.5")
async def test_both_tools_carry_all_four_hints(era: str) -> None:
    async with connect(toolset, era=era) as client:
        hints = {tool["name"]: tool["annotations"] for tool in await client.tools()}

    assert hints["calculate_fibonacci"] == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    assert hints["branch_delete"] == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }


@in_both_eras
@pytest.mark.requirement("003-2.3")
async def test_a_number_out_of_range_is_refused_with_the_range(era: str) -> None:
    async with connect(toolset, era=era) as client:
        reply = await client.call("calculate_fibonacci", n=91)

    assert reply.failed
    assert "Invalid n 91. Expected: integer from 0 to 90." in reply.text


@in_both_eras
async def test_a_deleted_branch_is_gone_and_the_others_are_not(era: str) -> None:
    async with connect(toolset, era=era) as client:
        deleted = await client.call("branch_delete", branch="try-sqlite", confirm=True)
        left = await client.call("branch_list")
        again = await client.call("branch_delete", branch="try-sqlite", confirm=True)

    assert deleted.text == "Deleted try-sqlite."
    assert left.text == "fix-cursor\nmain"
    assert again.error["code"] == "RESOURCE_NOT_FOUND"


@in_both_eras
@pytest.mark.requirement("003-1.3")
async def test_nothing_is_deleted_without_a_yes(era: str) -> None:
    async with connect(toolset, era=era) as client:
        asked = await client.call("branch_delete", branch="try-sqlite")
        left = await client.call("branch_list")

    assert "Delete the branch try-sqlite for good? This needs a yes." in asked.text
    assert "try-sqlite" in left.text


@in_both_eras
async def test_a_person_who_can_be_asked_gives_the_yes(era: str) -> None:
    questions: list[str] = []

    async def yes(context: Any, params: Any) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action="accept", content={"confirm": True})

    async with connect(toolset, era=era, answer=yes) as client:
        deleted = await client.call("branch_delete", branch="try-sqlite")

    assert deleted.text == "Deleted try-sqlite."
    assert questions == ["Delete the branch try-sqlite for good?"]


async def test_the_protected_branch_stays() -> None:
    async with connect(toolset) as client:
        refused = await client.call("branch_delete", branch="main", confirm=True)

    assert refused.error["code"] == "PERMISSION_DENIED"
