"""The feed behind the live stream: a stream that does not keep up is dropped, and the others are not."""

import asyncio
from itertools import count
from pathlib import Path
from typing import Any

from starlette.types import Message

from laconic.kit import CallJournal, Endpoint
from laconic.servers.notes.tools import notes
from laconic.stores import Journal
from laconic.web.feed import Feed, events_of
from laconic.web.lasting import TakenInTime, while_valid

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


async def test_a_client_that_comes_back_is_told_whether_it_may_have_missed_anything(tmp_path: Path) -> None:
    calls = CallJournal(Journal(tmp_path / "journal"), tmp_path)
    endpoint = Endpoint([notes], journal=calls)
    feed, restarted = Feed(endpoint, every=0.001), Feed(endpoint, every=0.001)

    numbers = count()

    def change() -> None:
        calls.tell(**WROTE | {"ids": [f"n{next(numbers)}"]})
        calls.flush()

    async def told(feed: Feed, last: str | None = None) -> tuple[list[str], str]:
        """The names that a client hears until a change of its own, and the id of that."""
        stream, names, id = feed.stream(["note"], last), list[str](), ""
        while "note" not in names:
            found = dict(line.split(": ", 1) for line in (await anext(stream)).decode().split("\n") if line)
            names, id = [*names, found["event"]], found["id"]
            if len(names) == (1 if last is None else 2):
                change()
        await stream.aclose()
        return names, id

    async with asyncio.timeout(60):
        names, last = await told(feed)
        assert names == ["hello", "note"]
        await feed._tasks[-1]  # nobody listens
        change()
        names, last = await told(feed, last)
        assert names == ["hello", "resync", "note"]

        other = feed.stream(["prompt"])
        await anext(other)  # somebody always listens, and nothing happens
        fine = feed.stream(["note"], last)
        assert b"event: hello" in await anext(fine)
        change()
        assert b"event: note" in await anext(fine)
        assert (await told(restarted, feed._id))[0] == ["hello", "resync", "note"]
        assert (await told(restarted, "1"))[0] == ["hello", "resync", "note"]
    await asyncio.gather(*(one.aclose() for one in (other, fine)))
    await asyncio.gather(feed.close(), restarted.close())
    await endpoint.close()


async def test_a_client_that_reads_nothing_holds_no_place(tmp_path: Path) -> None:
    endpoint = Endpoint([notes], journal=CallJournal(Journal(tmp_path / "journal"), tmp_path))
    feed, sent = Feed(endpoint), []

    async def stuck(message: Message) -> None:
        sent.append(message["type"])
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()  # its buffers are full, and stay so

    async def silent() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def always() -> bool:
        return True

    async with asyncio.timeout(60):
        answer = TakenInTime(while_valid(feed.stream(["note"]), always), patience=0.01)
        await answer({"type": "http", "asgi": {"spec_version": "2.3"}}, silent, stuck)
    assert sent == ["http.response.start", "http.response.body"]
    assert not feed._listeners
    await feed.close()
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
