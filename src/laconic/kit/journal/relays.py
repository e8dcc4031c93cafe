"""Change notices of other processes: through the journal on one machine, through Redis between machines."""

from __future__ import annotations

import asyncio
import json
import os
from collections import deque
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from laconic.kit.compact import compact
from laconic.kit.journal.calls import CallJournal
from laconic.kit.journal.pulse import Job, pulse
from laconic.kit.peer import Changes
from laconic.kit.redaction import redacted_log
from laconic.stores.errors import StoreError
from laconic.stores.journal.reading import Reader
from laconic.stores.journal.writing import Journal

__all__ = ["Broadcast", "Relay"]

log = redacted_log("laconic.changes")

_KEY: Final = "told"
_CHANNEL: Final = "changes"
_CALLS: Final = "calls"
_RESOURCE: Final = "resource"  # the kind of change that has an address
_AGAIN: Final = 1.0  # seconds until a lost connection is tried again


@runtime_checkable
class Broadcast(Protocol):
    """A store that can send messages to all who share it."""

    async def publish(self, name: str, message: bytes) -> None:
        """Send a message to everyone who listens now."""

    def listen(self, name: str) -> AsyncIterator[bytes]:
        """Yield an empty message when it begins, and then those that are sent from now on."""


class Relay:
    """Passes notices on to other processes, and theirs to the clients of this one, each once."""

    def __init__(self, changes: Changes, calls: CallJournal | None, store: Broadcast | None) -> None:
        self._changes = changes
        self._run = calls.run if calls else os.urandom(4).hex()
        self._count = 0
        self._heard: deque[tuple[str, int]] = deque(maxlen=256)  # a notice may come both ways
        self._store = store
        self._journals: dict[Path, CallJournal] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending: set[asyncio.Task[None]] = set()
        self._jobs: list[Job] = []
        self._unheard: deque[Any] = deque()  # records
        self._hearing: asyncio.Task[None] | None = None
        self._kinds: frozenset[str] = frozenset()  # that are followed
        if calls is not None:
            self._journals[calls.store.folder] = calls
            changes.sharing = self._shared
            if store is not None:
                calls.passed_on = partial(self._send, store, _CALLS)
        changes.relays.append(partial(self._tell, calls))

    def follow(self, kinds: frozenset[str]) -> None:
        """Hear of changes of these kinds from now on; needs an event loop."""
        if self._kinds:
            return
        self._kinds = kinds
        for calls in self._journals.values():
            self._read(calls)
        if self._store is not None:
            self._start(self._listen(self._store))

    async def close(self) -> None:
        """Stop hearing, and write and send what was told last."""
        for calls in self._journals.values():
            calls.flush()
            calls.passed_on = None
        if self._sending:
            await asyncio.wait(self._sending, timeout=_AGAIN)
        for job in self._jobs:
            pulse.remove(job)
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for calls in self._journals.values():
            calls.close()

    def _shared(self, folder: Path) -> Changes:
        """Return changes that are told in a journal of this folder, and follow it."""
        place = folder / "journal"
        if place not in self._journals:
            calls = self._journals[place] = CallJournal(Journal(place), folder, run=self._run)
            if self._kinds:
                self._read(calls)
        return Changes(self._changes.listeners, [partial(self._tell, self._journals[place])])

    def _tell(self, calls: CallJournal | None, kind: str, uri: str | None) -> None:
        self._count += 1
        notice = {_KEY: kind, "count": self._count} | ({"uri": uri} if uri else {})
        if calls is not None:
            calls.tell(**notice)
        if self._store is not None:
            self._send(self._store, _CHANNEL, compact({"run": self._run, **notice}))

    def _send(self, store: Broadcast, channel: str, text: str) -> None:
        """Send something to other machines; nobody waits for it but the end of this process."""
        task = self._start(self._publish(store, channel, text.encode("utf-8", "replace")))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def changes_elsewhere(self) -> AsyncIterator[dict[str, Any] | None]:
        """Yield the records of calls that may have changed something, on any machine that shares the state.

        None means that earlier ones may have been missed: it begins, or begins again.
        """
        if self._store is None:
            return
        while True:
            try:
                async for message in self._store.listen(_CALLS):
                    if not message:
                        yield None
                        continue
                    with suppress(ValueError, RecursionError):
                        record = json.loads(message)
                        if isinstance(record, dict):
                            yield record
            except StoreError as error:
                log.warning("Calls on other machines are not heard: %s", error)
            await asyncio.sleep(_AGAIN)

    async def _publish(self, store: Broadcast, channel: str, message: bytes) -> None:
        try:
            await store.publish(channel, message)
        except StoreError as error:
            log.warning("A change was not told to other machines: %s", error)

    def _read(self, calls: CallJournal) -> None:
        """Hear what is told in a journal from now on."""
        reader = Reader.at_end(calls.store.folder, key=_KEY)
        self._jobs.append(Job(reader.is_behind, lambda: self._take(reader.read())))
        pulse.add(self._jobs[-1])

    def _take(self, records: list[Any]) -> None:
        self._unheard += records
        if self._unheard and self._hearing is None:
            self._hearing = self._start(self._hear_all())

    async def _hear_all(self) -> None:
        try:
            while self._unheard:
                await self._hear(self._unheard.popleft())
        finally:
            self._hearing = None

    async def _listen(self, store: Broadcast) -> None:
        """Hear what other machines tell; after a lost connection, every list may have changed meanwhile.

        A single resource is not told then: which ones clients have subscribed to is known to the wire alone.
        """
        is_lost = False
        while True:
            try:
                async for message in store.listen(_CHANNEL):
                    for kind in sorted(self._kinds - {_RESOURCE}) if is_lost else ():
                        await self._pass_on(kind, None)
                    is_lost = False
                    with suppress(ValueError, RecursionError):
                        await self._hear(json.loads(message))
            except StoreError as error:
                if not is_lost:
                    log.warning("Changes on other machines are not heard: %s", error)
                is_lost = True
            await asyncio.sleep(_AGAIN)

    async def _hear(self, record: Any) -> None:
        notice = _notice(record)
        if notice is None:
            return
        kind, uri, run, count = notice
        if kind not in self._kinds:
            return
        if run == self._run or (run, count) in self._heard:
            return
        self._heard.append((run, count))
        await self._pass_on(kind, uri)

    async def _pass_on(self, kind: str, uri: str | None) -> None:
        try:
            await self._changes.hear(kind, uri)
        except Exception:
            log.warning("A change notice could not be sent.", exc_info=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _notice(record: Any) -> tuple[str, str | None, str, int] | None:
    """Return kind, address, run and number of a notice; None if a record has another shape."""
    if not isinstance(record, dict):
        return None
    kind, uri, run, count = (record.get(name) for name in (_KEY, "uri", "run", "count"))
    if not (isinstance(kind, str) and isinstance(run, str) and isinstance(count, int)):
        return None
    if kind != _RESOURCE:
        return kind, None, run, count
    return (kind, uri, run, count) if isinstance(uri, str) and uri else None
