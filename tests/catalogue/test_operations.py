"""Hundreds of real operations become tools from data, with the kit's public names alone."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from laconic.kit import Described, Profile, Settings, Toolset
from laconic.kit.testing import connect, tool_tokens
from tests.catalogue.operations import operations

LEAN = ["drive_files_list", "docs_documents_get"]
STYLE = {"textStyle": {"bold": True}, "fields": "bold"}


async def run(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name} {dict(arguments)}"


def google() -> Toolset:
    toolset = Toolset(
        "google",
        "Drive, Docs, Sheets and Slides.",
        case="camel",
        open_world=True,
        profiles={"lean": Profile(LEAN, aside=lambda spec: True), "full": Profile(lambda spec: True)},
        default="lean",
    )
    for name, effect, properties, required, types in operations():
        takes = Described(properties, required, types=types, depth=1)
        toolset.add(effect, name, f"{name}.", takes, partial(run, name))  # type: ignore[arg-type]  # one of the four
    return toolset


async def test_a_lean_profile_lists_a_few_and_reaches_them_all() -> None:
    async with connect(google()) as client:
        assert len(operations()) > 250
        assert len(await client.tools()) == len(LEAN) + len(["read_on"]) + 5
        call = {"documentId": "a", "requests": [{"updateTextStyle": STYLE}]}
        done = await client.send("tools_write", {"tool": "docs_documents_batchUpdate", "arguments": call})
        assert not done.failed


async def test_the_whole_list_stays_within_its_tokens() -> None:
    async with connect(google(), settings=Settings(tools={"google": "full"})) as client:
        tools = await client.tools()
    assert len(tools) > 250
    assert sum(map(tool_tokens, tools)) < 23_000


async def test_a_mistake_deep_inside_a_body_is_told_with_its_place() -> None:
    async with connect(google()) as client:
        place = {"fileId": "a", "text": "b", "location": {"indx": 1}}
        misspelt = await client.send("docs_insertText", place)
        style = {"updateTextStyle": {"textStyle": {"bold": "x"}}}
        wrong = await client.send("docs_documents_batchUpdate", {"documentId": "a", "requests": [style]})
    assert "Unknown argument 'location.indx'. Did you mean 'index'?" in misspelt.text
    assert "Invalid requests[0].updateTextStyle.textStyle.bold 'x'. Expected: true or false." in wrong.text


async def test_parameters_may_have_names_that_are_none_in_python() -> None:
    async with connect(google()) as client:
        asked = {"presentationId": "a", "pageObjectId": "b", "thumbnailProperties.mimeType": "PNG"}
        reply = await client.send("slides_presentations_pages_getThumbnail", asked)
        described = await client.call("tools_describe", names=["slides_presentations_pages_getThumbnail"])
    assert "'thumbnailProperties.mimeType': 'PNG'" in reply.text
    assert "thumbnailProperties.mimeType?: " in described.text
