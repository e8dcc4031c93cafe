"""Half of a surrogate pair, which no transport can send, is replaced: the call is answered all the same."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from laconic.kit import Failure, Link, Message, Record, Resource, Settings, Text, Toolset
from laconic.kit.testing import ERAS, Over, connect

HALF = chr(0xD800)


class Note(Record):
    id: str
    title: str


notes = Toolset("notes")


@notes.read
async def note_get() -> Note:
    """Read a note."""
    return Note(id="N1", title=f"half {HALF} pair")


@notes.resource("note://one")
async def note() -> str:
    """A note."""
    return f"half {HALF} pair"


@notes.read
async def note_links() -> list[Link | Resource]:
    """Link to a note."""
    link = Link(f"note://{HALF}", name=f"name {HALF}", description=f"description {HALF}")
    return [link, Resource(f"note://{HALF}", f"half {HALF} pair", "text/plain")]


@notes.read
async def note_counts() -> dict[str, Any]:
    """Count words."""
    return {f"half {HALF} pair": [{f"{HALF}": f"{HALF}"}]}


@notes.read
async def note_lose() -> str:
    """Fail."""
    raise Failure(f"half {HALF} pair is lost", details={f"half {HALF}": f"pair {HALF}"})


@notes.prompt
async def note_prompt() -> Message:
    """Write a note."""
    return Message(Text(f"half {HALF} pair"))


@pytest.mark.parametrize("over", get_args(Over))
@pytest.mark.parametrize("era", ERAS)
async def test_a_tool_and_a_resource_are_answered(over: Over, era: str) -> None:
    settings = Settings(output="both")

    async with connect(notes, era=era, over=over, settings=settings) as client:
        reply = await client.call("note_get")
        resource = await client.client.read_resource("note://one")

    assert reply.text == 'id: N1\ntitle: "half \\ud800 pair"'  # in a line it is quoted, as JSON would
    assert reply.structured == {"id": "N1", "title": "half \ufffd pair"}
    assert "half \ufffd pair" in str(resource)


@pytest.mark.parametrize("over", get_args(Over))
@pytest.mark.parametrize("era", ERAS)
async def test_links_names_failures_and_prompts_are_answered(over: Over, era: str) -> None:
    settings = Settings(output="both")

    async with connect(notes, era=era, over=over, settings=settings) as client:
        links = await client.call("note_links")
        counts = await client.call("note_counts")
        lost = await client.call("note_lose")
        prompt = await client.client.get_prompt("note_prompt")

    shown = links.result.model_dump_json()
    for words in ("note://\ufffd", "name \ufffd", "description \ufffd", "half \ufffd pair"):
        assert words in shown
    assert counts.structured == {"half \ufffd pair": [{"\ufffd": "\ufffd"}]}
    assert lost.error["message"] == "half \ufffd pair is lost"
    assert lost.error["details"] == {"half \ufffd": "pair \ufffd"}
    assert "half \ufffd pair is lost" in lost.text
    assert "half \ufffd pair" in str(prompt)
