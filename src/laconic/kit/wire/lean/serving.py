"""Serving one client over stdio: concurrent requests, one task each."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any, Final

from laconic.kit.endpoint import Endpoint
from laconic.kit.redaction import redacted_log
from laconic.kit.wire.lean.conversation import Conversation
from laconic.kit.wire.lean.lines import LineSplitter, write
from laconic.kit.wire.lean.opening import Opened
from laconic.kit.wire.lean.peer import LeanPeer
from laconic.kit.wire.lean.pipes import PipeReader, PipeWriter
from laconic.kit.wire.lean.requests import Request
from laconic.kit.wire.loops import started
from laconic.kit.wire.methods import Methods
from laconic.kit.wire.protocol import INTERNAL_ERROR, ProtocolError
from laconic.kit.wire.sealing import Seal

__all__ = ["Serving", "serve_lean"]

log = redacted_log("laconic.bug")

MOST: Final = 512  # requests that run at once; others wait, and can be cancelled
QUEUED: Final = 1024 * 1024  # bytes of lines with waiting requests; above this nothing more is read
PATIENCE: Final = 3.0  # seconds that calls may continue after the client has closed its end
_LAST: Final = 0.5  # seconds for the client to read the last answers
_LOOK: Final = 0.1  # seconds between checks that the client still reads


async def serve_lean(endpoint: Endpoint, opened: Opened, closed: asyncio.Event | None = None) -> None:
    """Continue a conversation until the client ends it; `closed` is set when everything is closed."""
    serving = Serving(endpoint, opened)
    try:
        await serving.run()
    finally:
        await asyncio.shield(asyncio.ensure_future(_closed(serving, endpoint)))
        if closed is not None:
            closed.set()


async def _closed(serving: Serving, endpoint: Endpoint) -> None:
    await serving.close()
    await endpoint.close()


class Serving:
    """One conversation on an event loop; it leaves the endpoint open."""

    def __init__(self, endpoint: Endpoint, opened: Opened) -> None:
        self._endpoint = endpoint
        self._loop = asyncio.get_running_loop()  # asking for it again takes a system call
        self._conversation: Conversation = opened.conversation
        self._lines: LineSplitter = opened.lines
        self._queue = deque((request, 0) for request in opened.requests)  # with the lengths of their lines
        self._queued = 0
        self._waiting = list(opened.heard)  # lines that came together with the first calls
        self._unsent = opened.unsent
        self._methods = Methods(endpoint, self._conversation.about)
        self._seal = Seal(endpoint.keys, endpoint.name)
        self._tasks: set[asyncio.Task[None]] = set()  # of requests that wait for something
        self._has_more = False  # lines that came together with the one that is handled
        self._over = asyncio.Event()  # the client sends nothing more
        self._writing = PipeWriter(opened.writing, self._over.set, self._drained)
        self._reading = PipeReader(opened.reading, self._heard, self._ended)
        self._conversation.send = self._send
        self._conversation.notices.waits = lambda: self._writing.is_full
        endpoint.changes.listeners.append(self._conversation.notices.changed)

    async def run(self) -> None:
        """Serve until the client ends and its requests are answered."""
        self._endpoint.follow()
        for message in self._unsent:
            self._send(message)
        self._start()
        self._take()
        await self._over.wait()
        for waiting in self._conversation.asked.values():
            if not waiting.done():
                waiting.set_result({"error": {"message": "it disconnected"}})
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while (self._tasks or self._waiting) and self._writing.is_read:
                    if self._tasks:
                        await asyncio.wait(self._tasks, timeout=_LOOK)
                    else:  # the client is behind with reading, so its last lines wait
                        await asyncio.sleep(_LOOK)
                self._conversation.notices.end()
                await self._writing.flush()

    async def close(self) -> None:
        """Cancel what is still running."""
        self._endpoint.changes.listeners.remove(self._conversation.notices.changed)
        self._reading.wait()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST):
                await self._writing.flush()
        self._writing.close()

    def _send(self, message: Any) -> None:
        try:
            line = write(message)
        except (ValueError, TypeError, RecursionError):
            if isinstance(message, dict) and "method" in message:
                raise  # a question or a notice: the tool that sent it must know
            log.exception("an answer that cannot be written as JSON")
            line = write(_writable(message))
        self._writing.send(line, more=len(self._tasks) > 1)

    def _heard(self, data: bytes) -> None:
        self._waiting += self._lines.feed(data)
        self._take()

    def _ended(self) -> None:
        self._waiting.append(self._lines.end())
        self._over.set()
        self._take()

    def _take(self) -> None:
        """Handle lines while there is capacity for the requests in them."""
        taken = 0
        for line in self._waiting:
            if self._is_full:
                break
            taken += 1
            self._has_more = taken < len(self._waiting)
            for request in self._conversation.hear(line):
                self._queue.append((request, len(line)))
                self._queued += len(line)
            self._start()
        del self._waiting[:taken]
        if self._waiting or self._is_full:
            self._reading.wait()
        elif not self._over.is_set():
            self._reading.go_on()

    @property
    def _is_full(self) -> bool:
        return self._queued > QUEUED or self._writing.is_full

    def _start(self) -> None:
        """Start waiting requests, up to the limit; one that comes alone begins at once."""
        while self._queue and len(self._tasks) < MOST:
            request, length = self._queue.popleft()
            self._queued -= length
            if self._conversation.is_under_way(request):  # not cancelled while it waited
                is_alone = not (self._has_more or self._tasks or self._queue)
                work, loop = self._run(request), self._loop
                task = started(work, loop) if is_alone else loop.create_task(work)
                if task.done():
                    self._conversation.done(request)
                    continue
                request.task = task
                self._tasks.add(task)
                task.add_done_callback(partial(self._finish, request))

    def _finish(self, request: Request, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._conversation.done(request)
        was_full = self._is_full
        self._start()
        if self._waiting or was_full:
            self._take()

    def _drained(self) -> None:
        self._conversation.notices.catch_up()
        self._take()

    async def _run(self, request: Request) -> None:
        try:
            result = await self._methods.run(
                request.method,
                request.params,
                lambda: LeanPeer(self._conversation, request, self._seal, self._writing.room),
            )
        except ProtocolError as error:
            request.refuse(error)
        else:
            request.reply(result)


def _writable(message: Any) -> Any:
    """Replace an answer that cannot be written by an error."""
    if isinstance(message, list):
        return [_writable(one) for one in message]
    try:
        write(message)
    except (ValueError, TypeError, RecursionError):
        error = ProtocolError(INTERNAL_ERROR, "Internal server error")
        return {"jsonrpc": "2.0", "id": message["id"], "error": error.wire()}
    return message
