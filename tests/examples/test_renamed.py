"""A tool, a parameter and a type that changed still answer, with a note."""

import logging

import pytest

from examples.renamed import toolset
from laconic.kit.testing import ERAS, connect

in_both_eras = pytest.mark.parametrize("era", ERAS)


@in_both_eras
@pytest.mark.requirement("003-10.2")
async def test_the_former_name_answers_with_a_note_and_a_warning(
    era: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "laconic.deprecated"):
        async with connect(toolset, era=era) as client:
            former = await client.call("search", q="cursor")
            present = await client.call("project_search", query="cursor")

    assert not former.failed
    assert former.text.startswith(f"{present.text}\n\nNote: search is now project_search")
    assert "until 2.0" in former.text
    assert [record.message for record in caplog.records if "[DEPRECATED] search is now" in record.message]


@in_both_eras
async def test_the_present_name_says_nothing_of_the_past(era: str) -> None:
    async with connect(toolset, era=era) as client:
        reply = await client.call("project_search", query="s", labels=["markdown"])

    assert reply.text == "slices"


@in_both_eras
@pytest.mark.requirement("003-10.3")
async def test_the_former_name_is_listed_as_deprecated(era: str) -> None:
    async with connect(toolset, era=era) as client:
        tools = {tool["name"]: tool for tool in await client.tools()}

    assert tools["search"]["description"] == "[DEPRECATED] Use project_search instead."
    assert tools["search"]["annotations"]["readOnlyHint"] is True


@in_both_eras
@pytest.mark.requirement("003-10.5")
async def test_a_former_parameter_of_a_former_type_is_understood(era: str) -> None:
    async with connect(toolset, era=era) as client:
        reply = await client.call("project_search", tags="markdown,paging")

    assert reply.text.startswith("slices\n")
    assert "tags is now labels" in reply.text
    assert "labels is no longer a string" in reply.text


async def test_nothing_of_the_past_is_in_the_schema() -> None:
    async with connect(toolset) as client:
        tools = {tool["name"]: tool for tool in await client.tools()}

    assert list(tools["project_search"]["inputSchema"]["properties"]) == ["query", "labels", "limit"]
