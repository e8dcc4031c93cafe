"""The feed: what changed, by name alone, for everyone who listens; it reads the journal and nothing else.

One reader serves all streams. A client that does not keep up is dropped: it connects again and is told to
fetch everything.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import Any, Final

from laconic import __version__
from laconic.kit import Endpoint, Unavailable
from laconic.kit.redaction import redacted_log
from laconic.stores import Reader

__all__ = ["KINDS", "Feed", "event_of"]

log = redacted_log("laconic.web")

KINDS: Final = ("prompt", "note", "bookmark", "library")
_MOST: Final = 2_000  # streams
_WAITING: Final = 64  # events that a stream may be behind
_EVERY: Final = 0.25  # seconds between two looks: at most four events of a kind a second
_ALIVE: Final = 20.0  # seconds without an event after which a comment is sent
_METHODS: Final = ("POST ", "PATCH ", "PUT ", "DELETE ")
_COLLECTIONS: Final = {"prompts": "prompt", "notes": "note", "bookmarks": "bookmark"}


class _Listener:
    """One stream: its events wait in a queue that is never long."""

    def __init__(self, kinds: frozenset[str]) -> None:
        self.kinds = kinds
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue(_WAITING)
        self.is_dropped = False

    def give(self, event: bytes | None) -> None:
        if self.is_dropped:
            return
        try:
            self.waiting.put_nowait(event)
        except asyncio.QueueFull:
            self.is_dropped = True


class Feed:
    """Tells all streams what was changed through any process of this repository."""

    def __init__(self, endpoint: Endpoint, every: float = _EVERY) -> None:
        self._endpoint = endpoint
        self._every = every
        self._listeners: set[_Listener] = set()
        self._number = 0
        self._noticed = False  # that the list of prompts changed
        self._task: asyncio.Task[None] | None = None
        self._is_heard = False

    async def stream(self, kinds: Iterable[str], last: str | None = None) -> AsyncIterator[bytes]:
        """Yield the events of these kinds from now on; `last` is the number that a client heard last."""
        listener = _Listener(frozenset(kinds))
        self._listeners.add(listener)
        self._start()
        try:
            yield b"retry: 1500\n\n" + _event(self._number, "hello", {"version": __version__})
            if last is not None and last != str(self._number):
                yield _event(self._number, "resync", {})
            while not listener.is_dropped:
                try:
                    event = await asyncio.wait_for(listener.waiting.get(), _ALIVE)
                except TimeoutError:
                    event = b": still here\n\n"
                if event is None:
                    return
                yield event
        finally:
            self._listeners.discard(listener)

    def check(self) -> None:
        """Raise Unavailable if no further stream can be held."""
        if len(self._listeners) >= _MOST:
            raise Unavailable("Too many streams are open.", retry_after=30)

    async def close(self) -> None:
        """End all streams."""
        for listener in self._listeners:
            listener.give(None)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _start(self) -> None:
        if not self._is_heard:
            self._is_heard = True
            self._endpoint.changes.listeners.append(self._heard)
        if self._task is None or self._task.done():
            folder = self._endpoint.journal_folder
            reader = None if folder is None else Reader.at_end(folder)
            self._task = asyncio.get_running_loop().create_task(self._follow(reader))

    async def _heard(self, kind: str, uri: str | None) -> None:
        """Hear of a change notice, of this process or of another one."""
        self._noticed = self._noticed or kind == "prompts"

    async def _follow(self, reader: Reader | None) -> None:
        while self._listeners:
            try:
                self._tell(reader)
            except Exception:
                log.warning("the journal could not be read for live streams", exc_info=True)
            if self._endpoint.stop.is_asked:
                for listener in self._listeners:
                    listener.give(None)
            await asyncio.sleep(self._every)

    def _tell(self, reader: Reader | None) -> None:
        found: dict[str, dict[str, Any]] = {}
        records = reader.read() if reader is not None and reader.is_behind() else []
        for record in records:
            name, facts = event_of(record, self._endpoint.listing.owners)
            if name:
                known = found.setdefault(name, {"ids": [], "by": facts["by"]})
                known["ids"] += [id for id in facts["ids"] if id not in known["ids"]]
        if self._noticed:
            self._noticed = False
            found.setdefault("prompt", {"ids": [], "by": ""})
        for name, facts in found.items():
            self._number += 1
            event = _event(self._number, name, facts)
            for listener in self._listeners:
                if name in listener.kinds:
                    listener.give(event)


def event_of(record: dict[str, Any], owners: Any) -> tuple[str, dict[str, Any]]:
    """Return the event that a record of the journal is, with names only; an empty name if it is none."""
    tool, facts = str(record.get("tool", "")), {"ids": record.get("ids", []), "by": record.get("caller", "")}
    if record.get("effect") in (None, "read") or record.get("outcome") != "success":
        return "", facts
    if tool.startswith(_METHODS):
        part = tool.partition("/api/")[2].partition("/")[0]
        if tool.endswith("/track-usage") or part == "tokens":
            return "", facts
        return _COLLECTIONS.get(part, "library"), facts
    return {"prompts": "prompt", "notes": "note"}.get(owners.get(tool, ""), ""), facts


def _event(number: int, name: str, facts: dict[str, Any]) -> bytes:
    data = json.dumps({"seq": number, **facts}, ensure_ascii=False)
    return f"id: {number}\nevent: {name}\ndata: {data}\n\n".encode()
