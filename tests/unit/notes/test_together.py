"""Notes and prompts are served together: no two tools share a name, and all share one set of tags."""

import re
from pathlib import Path

import pytest

from laconic.kit import Toolset
from laconic.kit.testing import connect
from laconic.servers.notes.tools import notes
from laconic.servers.prompts.tools import prompts
from tests.library import served


async def test_prompts_and_notes_share_a_library_and_its_tags(tmp_path: Path) -> None:
    async with served(str(tmp_path / "library.db"), tmp_path / "home", prompts, notes) as client:
        await client.call("create_prompt", name="review", content="Review it.", tags=["dev", "work"])
        await client.call("create_note", title="Review", content="Review it.", tags=["dev"])

        tags = await client.call("list_content_tags")
        of_prompts = await client.call("list_tags")
        items = await client.call("search_items", query="review")
        found = await client.call("search_prompts", query="review")

    assert tags.text == "1 tag:\nname\titems\ndev\t1"
    assert of_prompts.text == "2 tags:\nname\tprompts\ndev\t1\nwork\t1"
    assert items.text.startswith("1 item:") and found.text.startswith("1 prompt:")


def test_notes_have_these_tools() -> None:
    assert {tool.name for tool in notes.tools} == {
        *("search_items", "get_item", "edit_content", "search_in_content", "create_note", "create_bookmark"),
        *("update_item", "create_relationship", "list_content_tags"),
    }


@pytest.mark.requirement("002-7.3")
def test_every_tool_of_the_comparison_exists() -> None:
    page = Path(__file__).parents[3] / "docs" / "decisions" / "0032-notes-beside-prompts.md"
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", page.read_text()))
    tools = {tool.name for tool in [*notes.tools, *prompts.tools]}
    parameters = {"old_str", "new_str", "dry_run", "add_tags", "remove_tags", "include_content"}

    assert named - tools - parameters == {"get_content"}


@pytest.mark.parametrize("toolset", [prompts, notes], ids=lambda toolset: toolset.name)
async def test_the_tool_that_is_named_for_an_argument_is_another_that_is_listed(toolset: Toolset) -> None:
    async with connect(toolset) as client:
        listed = {tool["name"] for tool in await client.tools()}
    named = [(spec.name, tool) for spec in toolset.tools for tool in spec.elsewhere.values()]
    assert named and all(tool in listed and tool != name for name, tool in named)
