"""Resources, prompts and completions take the same path as tools."""

from typing import Annotated

import mcp_types as t
import pytest
from mcp.shared.exceptions import MCPError

from laconic.kit import Endpoint, NotFound, Settings, Toolset
from laconic.kit.peer import SilentPeer
from laconic.kit.testing import ERAS, connect
from tests.toolsets.workshop import workshop


@pytest.mark.parametrize("era", ERAS)
async def test_a_resource_is_read_by_its_address(era: str) -> None:
    async with connect(workshop, era=era) as client:
        listed = await client.client.list_resources()
        templates = await client.client.list_resource_templates()
        fixed = await client.client.read_resource("workshop://rules")
        one = await client.client.read_resource("job://job-0007")
    assert [str(resource.uri) for resource in listed.resources] == ["workshop://rules"]
    assert templates.resource_templates[0].uri_template == "job://{id}"
    assert fixed.contents[0].text == "Sweep the floor."
    assert one.contents[0].text == "Board 7 must be planed on both sides."
    assert one.contents[0].mime_type == "text/markdown"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("job://JOB-0077", "Use jobs_list to find it."),
        ("jobs://x", "Unknown resource 'jobs://x'. Did you mean job://{id}?"),
    ],
)
async def test_a_resource_that_is_not_there_is_an_error_that_helps(era: str, uri: str, said: str) -> None:
    async with connect(workshop, era=era) as client:
        with pytest.raises(MCPError) as caught:
            await client.client.read_resource(uri)
    assert said in caught.value.error.message
    assert caught.value.error.code == t.INVALID_PARAMS
    assert caught.value.error.data == {"uri": uri}


@pytest.mark.parametrize("era", ERAS)
async def test_a_prompt_gives_messages(era: str) -> None:
    async with connect(workshop, era=era) as client:
        prompts = {prompt.name: prompt for prompt in (await client.client.list_prompts()).prompts}
        result = await client.client.get_prompt("plan_job", {"id": "JOB-0001", "depth": "long"})
    assert [argument.name for argument in prompts["plan_job"].arguments] == ["id", "depth"]
    assert [(message.role, message.content.text) for message in result.messages] == [
        ("user", "Make a long plan for Plane board 1."),
        ("assistant", "Gladly."),
    ]


async def test_a_prompts_wrong_arguments_are_said_like_a_tools() -> None:
    async with connect(workshop) as client:
        with pytest.raises(MCPError, match=r"Invalid depth 'deep'\. Valid values: short, long\."):
            await client.client.get_prompt("plan_job", {"id": "JOB-0001", "depth": "deep"})
        with pytest.raises(MCPError, match=r"Unknown prompt 'plan_jobs'\. Did you mean plan_job\?"):
            await client.client.get_prompt("plan_jobs", {})


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("002-background-1", "002-background-2")
async def test_a_dynamic_source_lists_gets_completes_and_tells_of_changes(era: str) -> None:
    async with connect(workshop, era=era) as client:
        greeting = await client.client.get_prompt("greet", {"name": "ann"})
        await client.call("prompt_keep", name="part", text="Farewell {name}.")
        names = [prompt.name for prompt in (await client.client.list_prompts(cache_mode="bypass")).prompts]
        farewell = await client.client.get_prompt("part", {"name": "bob"})
        reference = t.PromptReference(type="ref/prompt", name="greet")
        completed = await client.client.complete(reference, {"name": "name", "value": "a"})
    assert greeting.messages[0].content.text == "Hello ann!"
    assert names == ["plan_job", "greet", "part"]
    assert farewell.messages[0].content.text == "Farewell bob."
    assert completed.completion.values == ["ann"]


@pytest.mark.requirement("002-background-2", "002-5.4")
@pytest.mark.parametrize("era", ERAS)
async def test_a_dynamic_source_is_asked_only_for_what_it_has_with_all_its_arguments(era: str) -> None:
    async with connect(workshop, era=era) as client:
        with pytest.raises(MCPError, match=r"Missing name: string\."):
            await client.client.get_prompt("greet", {})
        with pytest.raises(MCPError, match=r"Unknown prompt 'gret'\. Did you mean greet\?"):
            await client.client.get_prompt("gret", {"name": "ann"})


@pytest.mark.parametrize("era", ERAS)
async def test_a_name_with_line_breaks_is_repeated_and_suggested_on_one_line(era: str) -> None:
    async with connect(workshop, era=era) as client:
        await client.call("prompt_keep", name="evil\nNote: x", text="Hello {name}.")
        with pytest.raises(MCPError) as lost:
            await client.client.get_prompt("evil\nNote: y", {"name": "ann"})
        with pytest.raises(MCPError) as prompt:
            reference = t.PromptReference(type="ref/prompt", name="evil\nNote: y")
            await client.client.complete(reference, {"name": "name", "value": "a"})
        with pytest.raises(MCPError) as template:
            address = t.ResourceTemplateReference(type="ref/resource", uri="nope://a\nNote: b")
            await client.client.complete(address, {"name": "name", "value": "a"})
    said = "Unknown prompt 'evil\\nNote: y'."
    assert lost.value.error.message == f"{said} Did you mean 'evil\\nNote: x'?"
    assert prompt.value.error.message == lost.value.error.message
    assert template.value.error.message == "Unknown resource template 'nope://a\\nNote: b'."


@pytest.mark.parametrize("era", ERAS)
async def test_completions_come_from_the_author_or_from_the_type(era: str) -> None:
    async with connect(workshop, era=era) as client:
        prompt = t.PromptReference(type="ref/prompt", name="plan_job")
        template = t.ResourceTemplateReference(type="ref/resource", uri="job://{id}")
        by_type = await client.client.complete(prompt, {"name": "depth", "value": "l"})
        by_author = await client.client.complete(template, {"name": "id", "value": "job-005"})
        too_many = await client.client.complete(template, {"name": "id", "value": ""})
    assert by_type.completion.values == ["long"]
    assert by_author.completion.values[0] == "JOB-0050"
    assert too_many.completion.total == 60


async def test_an_unknown_tool_is_a_protocol_error_with_the_nearest_name() -> None:
    async with connect(workshop) as client:
        with pytest.raises(MCPError, match=r"Unknown tool 'get_job'\. Did you mean job_get\?") as caught:
            await client.call("get_job")
    assert caught.value.error.code == t.INVALID_PARAMS


LONG = "\n".join(f"# Part {number}\n\n{'words ' * 40}\n" for number in range(200))


def _library() -> Toolset:
    library = Toolset("library")

    @library.resource("book://{id}/text", hint="books_list")
    async def book(id: Annotated[str, "Its id."]) -> str:
        """A book."""
        if id == "lost":
            raise NotFound("Book", id)
        return LONG if id == "long" else f"The text of {id}."

    @library.resource("book://{id}/cover", mime="image/png")
    async def cover(id: Annotated[str, "Its id."]) -> bytes:
        """Its cover."""
        return b"\x89PNG"

    return library


@pytest.mark.parametrize("era", ERAS)
async def test_read_on_reads_any_resource_as_the_client_would(era: str) -> None:
    async with connect(_library(), era=era) as client:
        short = await client.call("read_on", uri="book://one/text")
        cover = await client.call("read_on", uri="book://one/cover")
        resource = await client.client.read_resource("book://one/text")
    assert short.text == f"<part>\n{resource.contents[0].text}\n</part>"
    assert cover.result.content[0].resource.blob == "iVBORw=="


async def test_a_long_resource_is_read_within_the_budget_and_in_every_way() -> None:
    async with connect(_library()) as client:
        whole = await client.call("read_on", uri="book://long/text")
        handle = whole.text.partition("handle='")[2].partition("'")[0]
        by_handle = await client.call("read_on", handle=handle, section="Part 7")
        by_uri = await client.call("read_on", uri="book://long/text", section="Part 7")
        found = await client.call("read_on", uri="book://long/text", find="Part 19")
    assert len(whole.text) <= 25_000 < len(LONG)
    assert by_handle.text == by_uri.text and "# Part 7" in by_uri.text
    assert found.text.startswith("Found 11:")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"uri": "book://lost/text"}, "Book lost not found. Use books_list to find it."),
        ({"uri": "books://x"}, "Unknown resource 'books://x'."),
        ({"uri": "https://a.example"}, "Unknown resource 'https://a.example'. Known: book://"),
        ({"uri": "book://one/cover", "lines": "1-2"}, "it is no text"),
        ({"uri": "book://one/text", "handle": "x"}, "handle and uri exclude each other"),
        ({"uri": "book://one/text", "lines": "1", "find": "x"}, "lines"),
        ({}, "Missing handle or uri: pass one of them."),
        ({"handle": "x"}, "section, lines, items, characters, find"),
    ],
)
async def test_a_resource_that_read_on_cannot_read_is_a_failure_that_helps(
    given: dict[str, str], said: str
) -> None:
    async with connect(_library()) as client:
        reply = await client.call("read_on", **given)
    assert reply.failed and said in reply.text, reply.text


async def test_without_resources_read_on_asks_for_a_handle_and_a_way_to_read_it() -> None:
    async with connect(Toolset("plain")) as client:
        reply = await client.call("read_on")
    assert "Missing handle: string." in reply.text and "section, lines, items" in reply.text
    assert "uri" not in reply.text


async def test_read_on_lists_uri_only_where_there_are_resources() -> None:
    async with connect(_library()) as client:
        with_resources = next(tool for tool in await client.tools() if tool["name"] == "read_on")
    async with connect(Toolset("plain")) as client:
        without = next(tool for tool in await client.tools() if tool["name"] == "read_on")
    assert "uri" in with_resources["inputSchema"]["properties"]
    assert "uri" not in without["inputSchema"]["properties"]
    assert without["inputSchema"]["required"] == ["handle"]


async def test_resources_read_by_the_tool_take_one_place_each() -> None:
    endpoint = Endpoint([_library()], settings=Settings(concurrency=1, rate=3))
    peer = SilentPeer()
    answers = [await endpoint.call_tool("read_on", {"uri": "book://one/text"}, peer) for _ in range(4)]
    assert [answer.failure is None for answer in answers] == [True, True, True, False]
