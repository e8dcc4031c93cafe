"""What an answer may hold: above the limit, sounds and documents are refused, and texts begin."""

from dataclasses import replace
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from laconic.kit import Audio, Message, Resource, Settings, Text, Toolset
from laconic.kit.testing import ERAS, connect

FEW = Settings(block_bytes=1_000, answer_bytes=2_500)
FITS, LARGE = b"x" * 1_000, b"x" * 1_001

studio = Toolset("studio")


@studio.read
async def studio_sound(size: int) -> Audio:
    """Return a sound."""
    return Audio(b"x" * size)


@studio.read
async def studio_file(size: int) -> Resource:
    """Return a document."""
    return Resource("studio://file", b"x" * size, "application/zip")


@studio.read
async def studio_bytes(size: int) -> Any:
    """Return bytes as they are."""
    return b"x" * size


@studio.read
async def studio_all(count: int) -> list[Any]:
    """Return several documents and sounds."""
    return [Text("All:"), *[Audio(FITS), Resource("studio://one", FITS, "application/zip")] * count]


@studio.create
async def studio_record() -> Audio:
    """Record a sound."""
    return Audio(LARGE)


@studio.resource("studio://take/{size}", mime="audio/wav")
async def take(size: int) -> bytes:
    """Return a recording."""
    return b"x" * size


@studio.resource("studio://score/{size}")
async def score(size: int) -> str:
    """Return a long text."""
    return "ü" * (size // 2)


@studio.resource("studio://parts/{count}")
async def parts(count: int) -> list[Resource]:
    """Return several documents."""
    return [Resource(f"studio://{number}", FITS, "audio/wav") for number in range(count)]


@studio.prompt
async def listen(size: str) -> list[Message]:
    """Listen to a sound."""
    return [Message(Audio(b"x" * int(size)))]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("tool", "what"), [("studio_sound", "sound"), ("studio_file", "document"), ("studio_bytes", "document")]
)
async def test_a_block_above_the_limit_is_refused_with_both_sizes(era: str, tool: str, what: str) -> None:
    async with connect(studio, era=era, settings=FEW) as client:
        assert not (await client.call(tool, size=1_000)).failed
        reply = await client.call(tool, size=1_700)
    said = f"Error [FILE_TOO_LARGE]: The {what} has 1.7 kB; an answer takes 1.0 kB. Ask for a part of it."
    assert reply.text == said


async def test_blocks_that_are_too_large_together_are_refused() -> None:
    async with connect(studio, settings=FEW) as client:
        assert len((await client.call("studio_all", count=1)).result.content) == 3
        reply = await client.call("studio_all", count=2)
    assert "These 5 parts have 4.0 kB; an answer takes 2.5 kB. Ask for fewer at once." in reply.text


async def test_a_write_whose_result_is_too_large_is_still_done() -> None:
    async with connect(studio, settings=FEW) as client:
        reply = await client.call("studio_record")
    assert not reply.failed
    assert reply.text == "Done, but the result is not shown. The sound has 1.0 kB; an answer takes 1.0 kB."


@pytest.mark.parametrize("era", ERAS)
async def test_a_binary_resource_above_the_limit_is_refused(era: str) -> None:
    async with connect(studio, era=era, settings=FEW) as client:
        assert (await client.client.read_resource("studio://take/1000")).contents
        with pytest.raises(MCPError, match=r"The document has 1\.2 kB; an answer takes 1\.0 kB\."):
            await client.client.read_resource("studio://take/1200")


@pytest.mark.parametrize("era", ERAS)
async def test_of_a_text_above_the_limit_a_host_gets_the_beginning_and_how_to_read_on(era: str) -> None:
    async with connect(studio, era=era, settings=replace(FEW, budget=450)) as client:
        [whole] = (await client.client.read_resource("studio://score/1000")).contents
        first, words = (await client.client.read_resource("studio://score/3000")).contents
        address = words.text.partition("Read on: ")[2].partition(",")[0]
        joined, more = first.text, address
        while more:
            part, *told = (await client.client.read_resource(more)).contents
            joined += part.text
            onward = told[0].text.partition("characters='")[2].partition("'")[0] if told else ""
            more = address.rpartition("/")[0] + f"/{onward}" if onward else ""
        tool = await client.call("read_on", uri="studio://score/3000", characters="1490-1500")
    assert len(whole.text) == 500 and 1 <= len(first.text.encode()) <= 1_000
    assert words.text.startswith(f"[{len(first.text)} of 1,500 characters shown, ~")
    assert joined == "ü" * 1_500
    assert tool.text == "<part>\nüüüüüüüüüü\n</part>"


async def test_where_nothing_can_be_kept_a_text_above_the_limit_is_refused() -> None:
    async with connect(studio, settings=Settings(block_bytes=1_000, budget=0)) as client:
        with pytest.raises(MCPError, match=r"The text has 1\.2 kB; an answer takes 1\.0 kB\."):
            await client.client.read_resource("studio://score/1200")


async def test_the_documents_of_a_resource_are_limited_together() -> None:
    async with connect(studio, settings=FEW) as client:
        assert len((await client.client.read_resource("studio://parts/2")).contents) == 2
        with pytest.raises(MCPError, match=r"These 3 parts have 3\.0 kB; an answer takes 2\.5 kB\."):
            await client.client.read_resource("studio://parts/3")


async def test_a_prompt_above_the_limit_is_refused() -> None:
    async with connect(studio, settings=FEW) as client:
        assert (await client.client.get_prompt("listen", {"size": "1000"})).messages
        with pytest.raises(MCPError, match=r"The sound has 1\.2 kB"):
            await client.client.get_prompt("listen", {"size": "1200"})


async def test_by_default_a_resource_of_fifty_megabytes_is_refused() -> None:
    async with connect(studio) as client:
        with pytest.raises(MCPError, match=r"has 50\.0 MB; an answer takes 1\.5 MB\."):
            await client.client.read_resource("studio://take/50000000")
