"""The feed behind the live stream: a stream that does not keep up is dropped, and the others are not."""

import asyncio
from pathlib import Path
from typing import Any

from laconic.kit import CallJournal, Endpoint
from laconic.servers.notes.tools import notes
from laconic.stores import Journal
from laconic.web.feed import Feed, events_of

WROTE = {"tool": "PATCH /api/notes/{id}", "effect": "update", "outcome": "success", "ids": ["n1"]}


async def test_a_slow_stream_is_dropped_and_holds_up_no_other(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    calls = CallJournal(journal, tmp_path)
    endpoint = Endpoint([notes], journal=calls)
    feed = Feed(endpoint, every=0.001)
    slow, quick = feed.stream(["note"]), feed.stream(["note"])
    for one in (slow, quick):
        assert b"event: hello" in await anext(one)
    heard = 0
    async with asyncio.timeout(60):
        for number in range(80):
            calls.tell(**WROTE | {"ids": [f"n{number}"]})
            calls.flush()
            assert f'"n{number}"'.encode() in await anext(quick)
            heard += 1
    assert heard == 80
    assert [event async for event in slow] == []  # it ends, and its client connects again
    await feed.close()
    assert [event async for event in quick] == []
    await endpoint.close()


def test_only_what_was_changed_is_an_event() -> None:
    owners = {"create_note": "notes", "update_item": "notes", "create_prompt": "prompts"}

    def name(**facts: Any) -> str:
        return " ".join(events_of(WROTE | facts, owners)[0])

    assert name() == "note"
    assert name(tool="POST /api/prompts/") == "prompt"
    assert name(tool="PATCH /api/tags/{tag}") == "library"
    assert name(tool="create_note") == "note" and name(tool="create_prompt") == "prompt"
    assert name(tool="create_bookmark") == "bookmark"
    assert name(tool="update_item") == "note bookmark"  # it is not known here which of the two
    assert name(effect="read") == name(outcome="VALIDATION_ERROR") == ""
    assert name(tool="POST /api/notes/{id}/track-usage") == name(tool="POST /api/tokens/") == ""
    assert name(tool="issues_update") == ""
