"""The prompts capability and the tools as clients meet them: pages, keys of answers, kinds of errors."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from laconic.kit.testing import TestClient
from laconic.servers.prompts.tools import prompts
from laconic.stores import Database, Draft, Shelf
from tests.library import served
from tests.unit.prompts.calls import create, done, edit, refused
from tests.unit.stores.shelf.samples import ME

PROMPT = {"id", "name", "title", "description", "arguments", "tags", "updated_at", "version"}
WRITTEN = {"id", "name", "version"}  # a version says more than a time of change


async def add_prompts(library: str, names: list[str]) -> None:
    def work(desk: Any) -> None:
        for name in names:
            desk.add(Draft("prompt", name, body="Hello.", extra={"arguments": []}), ME)

    database = Database(library, [Shelf.schema])
    await Shelf(database).run(work)
    await database.close()


async def page(client: TestClient, cursor: str | None = None) -> Any:
    return await client.client.list_prompts(cursor=cursor, cache_mode="bypass")


async def test_a_hundred_prompts_are_a_page_and_the_next_one_goes_on_whatever_is_added(
    client: TestClient, library: str
) -> None:
    names = [f"prompt-{number:03}" for number in range(150)]
    await add_prompts(library, names)
    first = await page(client)
    assert [one.name for one in first.prompts] == names[:100]
    await add_prompts(library, ["a-new-one", "prompt-099-b"])
    second = await page(client, first.next_cursor)
    assert [one.name for one in second.prompts] == ["prompt-099-b", *names[100:]]
    assert second.next_cursor is None


async def test_exactly_a_hundred_have_no_next_page(client: TestClient, library: str) -> None:
    await add_prompts(library, [f"prompt-{number:03}" for number in range(100)])
    assert (await page(client)).next_cursor is None


@pytest.mark.parametrize("cursor", ["100", "no cursor", "💥"])
async def test_a_cursor_of_somebody_else_is_an_invalid_parameter(client: TestClient, cursor: str) -> None:
    with pytest.raises(MCPError) as error:
        await page(client, cursor)
    assert error.value.error.code == -32602


async def test_an_argument_that_does_not_say_whether_it_is_required_is_optional(client: TestClient) -> None:
    arguments = [{"name": "a", "required": None}, {"name": "b"}, {"name": "c", "required": True}]
    await create(client, "letters", "{{ a }}{{ b }}{{ c }}", arguments=arguments)
    listed = (await page(client)).prompts[0].arguments
    assert [(one.name, one.required) for one in listed] == [("a", False), ("b", False), ("c", True)]
    filled = await client.client.get_prompt("letters", {"c": "x"})
    assert filled.messages[0].content.text == "x"


async def test_a_library_that_cannot_be_read_is_an_internal_error(tmp_path: Path) -> None:
    file = tmp_path / "library.db"
    file.write_bytes(b"This is no database at all. " * 200)
    async with served(str(file), tmp_path / "home", prompts) as client:
        for asking in (page(client), client.client.get_prompt("hello", {})):
            with pytest.raises(MCPError) as error:
                await asking
            assert error.value.error.code == -32603
            assert "damaged" in error.value.error.message
            assert str(tmp_path) not in error.value.error.message
        told = await client.call("get_prompt_template", name="hello")
        assert told.failed and "damaged" in told.text
        for tool, given, missing in (
            ("get_prompt_template", {}, "name"),
            ("create_prompt", {"name": "hello"}, "content"),
            ("edit_prompt_template", {"name": "hello", "new_str": "x"}, "old_str"),
            ("edit_prompt_template", {"name": "hello", "old_str": "x"}, "new_str"),
        ):
            told = await client.call(tool, **given)
            assert told.failed and missing in told.text and "damaged" not in told.text


@pytest.fixture
async def both(client: TestClient, library: str, tmp_path: Path) -> AsyncIterator[TestClient]:
    """A client that gets answers as text and as data, on an empty library."""
    async with served(library, tmp_path, prompts, output="both") as connected:
        await create(connected, title="Review", description="Reads code.", tags=["dev"])
        yield connected


@pytest.mark.parametrize(
    ("tool", "given", "keys"),
    [
        ("get_prompt_template", {}, PROMPT | {"content", "content_metadata"}),
        ("get_prompt_metadata", {}, PROMPT | {"prompt_length", "prompt_preview"}),
        (
            "edit_prompt_template",
            {"old_str": "Review", "new_str": "R"},
            {"name", "match_type", "line", "diff"},
        ),
        ("update_prompt_metadata", {"title": "New"}, WRITTEN | {"changed"}),
        ("create_prompt", {"name": "other", "content": "x"}, WRITTEN),
    ],
)
async def test_answers_have_the_keys_that_callers_know(
    both: TestClient, tool: str, given: dict[str, Any], keys: set[str]
) -> None:
    reply = await both.call(tool, **{"name": "code-review", **given})
    assert keys <= set(reply.structured), reply.text


async def test_a_page_of_a_search_says_how_many_there_are_and_has_no_templates(both: TestClient) -> None:
    reply = await both.call("search_prompts", query="code")
    assert reply.structured == {
        "total": 1,
        "columns": ["name", "title", "description", "tags"],
        "rows": [["code-review", "Review", "Reads code.", ["dev"]]],
    }


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("get_prompt_template", {"name": "nobody"}, "Prompt nobody not found"),
        ("create_prompt", {"name": "code-review", "content": "x"}, "already exists"),
        ("create_prompt", {"name": "other", "content": " \n"}, "not blank"),
        ("create_prompt", {"name": "other"}, "Missing content"),
        ("create_prompt", {"name": "other", "content": "{{ x"}, "Line 1"),
        (
            "create_prompt",
            {"name": "other", "content": "{{ b }}{{ a }}", "arguments": [{"name": n} for n in "baba"]},
            "a, b",
        ),
        ("create_prompt", {"name": "other", "content": "x", "arguments": [{"name": "X"}]}, "lower-case"),
        ("create_prompt", {"name": "other", "content": "x", "arguments": [{"name": "range"}]}, "range"),
        ("create_prompt", {"name": "../notes", "content": "x"}, "lower-case words joined by hyphens"),
        ("create_prompt", {"name": "other", "content": "x" * 100_001}, "100,000"),
        ("edit_prompt_template", {"old_str": "a", "new_str": "b"}, "name"),
        ("edit_prompt_template", {"name": "code-review", "new_str": "b"}, "old_str"),
        ("edit_prompt_template", {"name": "code-review", "old_str": "Review"}, "new_str"),
        ("edit_prompt_template", {"name": "code-review", "old_str": "Review", "new_str": None}, "new_str"),
        ("edit_prompt_template", {"name": "code-review", "old_str": "Review", "edits": []}, "edits"),
        (
            "edit_prompt_template",
            {"name": "code-review", "new_str": "x", "edits": [{"old_str": "Review", "new_str": "R"}]},
            "old_str",
        ),
        ("edit_prompt_template", {"name": "code-review", "old_str": "code", "new_str": "x"}, "2 times"),
        (
            "edit_prompt_template",
            {"name": "code-review", "old_str": "kode", "new_str": "x"},
            "does not occur",
        ),
        ("update_prompt_metadata", {"name": "code-review", "new_name": None, "new_nam": "x"}, "new_name"),
        ("search_prompts", {"limit": 0}, "limit"),
        ("search_prompts", {"tags": ["No Tag"]}, "lower-case words"),
        ("get_prompt_template", {"name": "code-review", "start_line": 0}, "start_line"),
        ("get_prompt_template", {"name": "code-review", "start_line": 3, "end_line": 2}, "line"),
        ("get_prompt_template", {"name": "code-review", "start_line": 99}, "from 1 to 5"),
    ],
)
async def test_what_is_wrong_is_an_error_that_says_what(
    client: TestClient, tool: str, given: dict[str, Any], words: str
) -> None:
    await create(client)
    told = await refused(client, tool, **given)
    assert words in told.text
    assert "version: 1" in await done(client, "get_prompt_metadata", name="code-review")


@pytest.mark.parametrize("tool", ["delete_prompt", "update_prompt", "list_prompts", "get_prompt"])
async def test_a_tool_that_does_not_exist_is_named(client: TestClient, tool: str) -> None:
    with pytest.raises(MCPError, match=tool) as error:
        await client.call(tool, name="code-review")
    assert error.value.error.code == -32602


async def test_a_rename_between_a_read_and_an_edit_is_told(client: TestClient) -> None:
    await create(client)
    await done(client, "update_prompt_metadata", name="code-review", new_name="review")
    told = await refused(client, "edit_prompt_template", name="code-review", old_str="code", new_str="x")
    assert "Use search_prompts" in told.text
    await edit(client, "Review this", "Read this", "review")
