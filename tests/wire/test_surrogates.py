"""Half of a surrogate pair, which no transport can send, is replaced: the call is answered all the same."""

from __future__ import annotations

from typing import get_args

import pytest

from laconic.kit import Record, Settings, Toolset
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
