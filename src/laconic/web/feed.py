"""The feed: what changed, by name alone, for everyone who listens; it reads the journal and nothing else.

One reader serves all streams. A client that does not keep up is dropped: it connects again and is told to
fetch everything.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, Final

from laconic import __version__
from laconic.kit import Endpoint, Unavailable
from laconic.kit.redaction import redacted_log
from laconic.stores import Reader

__all__ = ["KINDS", "Feed", "events_of"]

log = redacted_log("laconic.web")

KINDS: Final = ("prompt", "note", "bookmark", "library")
_MOST: Final = 2_000  # streams
_WAITING: Final = 64  # events that a stream may be behind
_EVERY: Final = 0.25  # seconds between two looks: at most four events of a kind a second
_ALIVE: Final = 20.0  # seconds without an event after which a comment is sent
_METHODS: Final = ("POST ", "PATCH ", "PUT ", "DELETE ")
_TOOLS: Final = {"create_note": ("note",), "create_bookmark": ("bookmark",)}
_TOOLSETS: Final = {
    "prompts": ("prompt",),
    "notes": ("note", "bookmark"),
}  # what their other tools may change
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
        # Names the time since which nothing was missed: numbers of another time mean nothing.
        self._since = ""
        self._noticed = False  # that the list of prompts changed
        self._elsewhere: list[dict[str, Any]] = []  # records of other machines, to be told
        self._known: deque[str] = deque(maxlen=512)  # records that were told: one may come both ways
        self._tasks: list[asyncio.Task[None]] = []
        self._is_heard = False

    async def stream(self, kinds: Iterable[str], last: str | None = None) -> AsyncGenerator[bytes]:
        """Yield the events of these kinds from now on; `last` is the id of what a client heard last."""
        listener = _Listener(frozenset(kinds))
        self._listeners.add(listener)
        self._start()
        try:
            yield b"retry: 1500\n\n" + self._event("hello", {"version": __version__})
            if last is not None and last != self._id:
                yield self._event("resync", {})
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
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self) -> None:
        if not self._is_heard:
            self._is_heard = True
            self._endpoint.changes.listeners.append(self._heard)
        # Nobody listened for a while, and much may have changed.
        if not self._tasks or self._tasks[-1].done():
            self._since = secrets.token_hex(4)
            folder = self._endpoint.journal_folder
            reader = None if folder is None else Reader.at_end(folder)
            loop = asyncio.get_running_loop()
            listening = loop.create_task(self._listen())
            ending = [task for task in self._tasks if not task.done()]
            self._tasks = [*ending, listening, loop.create_task(self._follow(reader, listening))]

    async def _heard(self, kind: str, uri: str | None) -> None:
        """Hear of a change notice, of this process or of another one."""
        self._noticed = self._noticed or kind == "prompts"

    async def _listen(self) -> None:
        """Hear what is changed on other machines."""
        async for record in self._endpoint.changes_elsewhere():
            if record is None:
                self._give(KINDS, "resync", {})
            else:
                self._elsewhere.append(record)

    async def _follow(self, reader: Reader | None, listening: asyncio.Task[None]) -> None:
        while self._listeners:
            try:
                self._tell(reader)
            except Exception:
                log.warning("the journal could not be read for live streams", exc_info=True)
            if self._endpoint.stop.is_asked:
                for listener in self._listeners:
                    listener.give(None)
            await asyncio.sleep(self._every)
        listening.cancel()

    def _records(self, reader: Reader | None) -> list[dict[str, Any]]:
        """Return what was recorded since the last look, here and elsewhere, each once."""
        here = reader.read() if reader is not None and reader.is_behind() else []
        elsewhere, self._elsewhere = self._elsewhere, []
        found = []
        for record in (*here, *elsewhere):
            key = f"{record.get('run')} {record.get('at')} {record.get('tool')} {record.get('ids')}"
            if key not in self._known:
                self._known.append(key)
                found.append(record)
        return found

    def _tell(self, reader: Reader | None) -> None:
        found: dict[str, dict[str, Any]] = {}
        for record in self._records(reader):
            names, facts = events_of(record, self._endpoint.listing.owners)
            for name in names:
                known = found.setdefault(name, {"ids": [], "by": facts["by"]})
                known["ids"] += [id for id in facts["ids"] if id not in known["ids"]]
        if self._noticed:
            self._noticed = False
            found.setdefault("prompt", {"ids": [], "by": ""})
        for name, facts in found.items():
            self._give((name,), name, facts)

    def _give(self, kinds: Sequence[str], name: str, facts: dict[str, Any]) -> None:
        """Give an event to all streams that listen to one of these kinds."""
        self._number += 1
        event = self._event(name, facts)
        for listener in self._listeners:
            if not listener.kinds.isdisjoint(kinds):
                listener.give(event)

    @property
    def _id(self) -> str:
        return f"{self._since}-{self._number}"

    def _event(self, name: str, facts: dict[str, Any]) -> bytes:
        data = json.dumps({"seq": self._number, **facts}, ensure_ascii=False)
        return f"id: {self._id}\nevent: {name}\ndata: {data}\n\n".encode()


def events_of(record: dict[str, Any], owners: Any) -> tuple[Sequence[str], dict[str, Any]]:
    """Return the events that a record of the journal is, and their facts, with names only."""
    tool, facts = str(record.get("tool", "")), {"ids": record.get("ids", []), "by": record.get("caller", "")}
    if record.get("effect") in (None, "read") or record.get("outcome") != "success":
        return (), facts
    if tool.startswith(_METHODS):
        part = tool.partition("/api/")[2].partition("/")[0]
        if tool.endswith("/track-usage") or part == "tokens":
            return (), facts
        return (_COLLECTIONS.get(part, "library"),), facts
    return _TOOLS.get(tool) or _TOOLSETS.get(owners.get(tool, ""), ()), facts
