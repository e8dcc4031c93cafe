"""Change notices of other processes: a strange one is passed over, and the next is heard."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from laconic.kit import CallJournal
from laconic.kit.journal.relays import Relay
from laconic.kit.peer import Changes
from laconic.stores import Journal, RedisStore
from tests.redis_server import RedisServer

GOOD = {"told": "prompts", "run": "other", "count": 7}
STRANGE: list[Any] = [
    *(GOOD | {"told": ["prompts"]}, GOOD | {"told": {}}, GOOD | {"run": ["other"]}, GOOD | {"count": []}),
    *({"told": None}, GOOD | {"told": "resource", "uri": [1]}),
]
NO_RECORDS = [b"[1]", b"7", b"null", b'"prompts"', b"\xff", b"[" * 100_000, b"{"]


class Heard:
    """The clients of a process that follows notices."""

    def __init__(self) -> None:
        self.all: list[tuple[str, str | None]] = []
        self._came = asyncio.Event()
        self.changes = Changes([self._listen], [])

    async def _listen(self, kind: str, uri: str | None) -> None:
        self.all.append((kind, uri))
        self._came.set()

    async def first(self) -> None:
        async with asyncio.timeout(20):
            await self._came.wait()

    def forget(self) -> None:
        self.all.clear()
        self._came.clear()


class Channel:
    """Delivers these messages, and no more."""

    def __init__(self, messages: list[bytes]) -> None:
        self._messages = messages

    async def publish(self, name: str, message: bytes) -> None:
        """Nobody listens."""

    async def listen(self, name: str) -> AsyncIterator[bytes]:
        """Yield the messages."""
        for message in self._messages:
            yield message
        await asyncio.Event().wait()


@pytest.mark.parametrize("strange", STRANGE)
async def test_a_strange_record_does_not_end_the_reading_of_a_journal(tmp_path: Path, strange: Any) -> None:
    heard = Heard()
    relay = Relay(heard.changes, CallJournal(Journal(tmp_path / "j"), tmp_path), None)
    relay.follow(frozenset({"prompts", "resource"}))
    Journal(tmp_path / "j").append([json.dumps(strange), json.dumps(GOOD)])
    await heard.first()
    await relay.close()
    assert heard.all == [("prompts", None)]


@pytest.mark.parametrize("strange", [*[json.dumps(one).encode() for one in STRANGE], *NO_RECORDS])
async def test_a_strange_message_does_not_end_the_listening(strange: bytes) -> None:
    heard = Heard()
    relay = Relay(heard.changes, None, Channel([strange, json.dumps(GOOD).encode()]))
    relay.follow(frozenset({"prompts", "resource"}))
    await heard.first()
    await relay.close()
    assert heard.all == [("prompts", None)]


async def test_a_notice_about_a_list_has_no_address() -> None:
    heard = Heard()
    relay = Relay(heard.changes, None, Channel([json.dumps(GOOD | {"uri": [1]}).encode()]))
    relay.follow(frozenset({"prompts"}))
    await heard.first()
    await relay.close()
    assert heard.all == [("prompts", None)]


async def tell_until_heard(store: RedisStore, heard: Heard, told: str) -> None:
    """Send notices until one arrives: nobody says when a relay has started to listen."""
    waiting = asyncio.create_task(heard.first())
    count = 0
    while not waiting.done():
        count += 1
        await store.publish("changes", json.dumps({"told": told, "run": "other", "count": count}).encode())
        await asyncio.wait([waiting], timeout=0.02)
    await waiting


@pytest.mark.needs("redis")
async def test_after_redis_is_lost_and_regained_every_list_may_have_changed(tmp_path: Path) -> None:
    heard = Heard()
    with RedisServer(tmp_path) as redis:
        here, there = RedisStore(redis.url), RedisStore(redis.url)
        relay = Relay(heard.changes, None, here)
        relay.follow(frozenset({"tools", "prompts", "resource"}))
        await tell_until_heard(there, heard, "tools")
        assert set(heard.all) == {("tools", None)}  # the first time it listens, nothing was missed

        redis.kill()
        heard.forget()
        redis.start()
        await heard.first()
        assert heard.all == [("prompts", None), ("tools", None)]
        for closing in (relay, here, there):
            await closing.close()
