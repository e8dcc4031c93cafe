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
from laconic.stores import Journal

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
