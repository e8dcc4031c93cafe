"""Pipes: stdin and stdout on the event loop, without threads."""

from __future__ import annotations

import asyncio
import os
import select
import stat
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

__all__ = ["PipeReader", "PipeWriter"]

CHUNK: Final = 64 * 1024
SMALL: Final = 4 * 1024  # bytes of a line that may wait for others to be written with it
TOGETHER: Final = 16  # such lines per write, which fit into a pipe
FULL: Final = 1024 * 1024  # bytes not yet read by the client; above this nothing more is read from it


class PipeReader:
    """Reads a descriptor on the event loop, and can be paused."""

    def __init__(self, descriptor: int, heard: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._heard = heard
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._is_waiting = True
        self._copying: asyncio.Task[None] | None = None

    def go_on(self) -> None:
        """Start or resume reading."""
        if not self._is_waiting:
            return
        self._is_waiting = False
        try:
            self._loop.add_reader(self._descriptor, self._ready)
        except OSError:  # a file, which is always ready and cannot be polled
            self._copying = asyncio.create_task(self._copy())

    def wait(self) -> None:
        """Pause reading."""
        if self._is_waiting:
            return
        self._is_waiting = True
        if self._copying is None:
            self._loop.remove_reader(self._descriptor)

    def _ready(self) -> None:
        try:
            data = os.read(self._descriptor, CHUNK)  # it is ready: this does not block
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        self._take(data)

    async def _copy(self) -> None:
        while not self._is_waiting:
            self._take(os.read(self._descriptor, CHUNK))
            await asyncio.sleep(0)
        self._copying = None

    def _take(self, data: bytes) -> None:
        if data:
            self._heard(data)
        else:
            self.wait()
            self._ended()


class PipeWriter:
    """Writes at once what fits into the pipe, and keeps the rest until the client reads."""

    def __init__(self, descriptor: int, broken: Callable[[], None], drained: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._broken = broken
        self._drained = drained
        self._loop = asyncio.get_running_loop()
        self._gathered: list[bytes] = []  # lines of this round of the event loop
        self._kept: deque[memoryview] = deque()
        self._size = 0
        self._room = asyncio.Event()
        self._room.set()
        self.is_broken = False
        kind = os.fstat(descriptor).st_mode
        self._can_wait = stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)
        if self._can_wait:  # not a terminal, which the shell shares
            os.set_blocking(descriptor, False)

    @property
    def is_full(self) -> bool:
        """True if the client is far behind with reading."""
        return self._size > FULL

    @property
    def is_read(self) -> bool:
        """True if the other end is still open."""
        if not self.is_broken and self._can_wait:
            poll = select.poll()
            poll.register(self._descriptor, 0)
            self.is_broken = bool(poll.poll(0))
        return not self.is_broken

    async def room(self) -> None:
        """Wait until the client has read enough."""
        await self._room.wait()

    def send(self, data: bytes, *, more: bool = False) -> None:
        """Send a line now or as soon as it fits; with `more` to come, short lines are written together."""
        if more and len(data) <= SMALL:
            if not self._gathered:
                self._loop.call_soon(self._pour)  # at the end of this round at the latest
            self._gathered.append(data)
            if len(self._gathered) == TOGETHER:
                self._pour()
            return
        self._pour()
        self._put(data)

    def _pour(self) -> None:
        if self._gathered:
            lines, self._gathered = self._gathered, []
            self._put(b"".join(lines))

    def _put(self, data: bytes) -> None:
        if self.is_broken:
            return
        if self._kept:
            self._keep(memoryview(data))
            return
        rest = self._write(memoryview(data))
        if rest:
            self._keep(rest)
            if not self.is_broken:
                self._loop.add_writer(self._descriptor, self._ready)

    async def flush(self) -> None:
        """Wait until everything is written, or the client is gone."""
        self._pour()
        while self._kept and not self.is_broken:
            self._room.clear()
            await self._room.wait()

    def close(self) -> None:
        """Stop writing."""
        self._pour()
        self.is_broken = True
        self._loop.remove_writer(self._descriptor)
        self._forget()
        if self._can_wait:
            with suppress(OSError):
                os.set_blocking(self._descriptor, True)

    def _keep(self, data: memoryview) -> None:
        if self.is_broken:
            return
        self._kept.append(data)
        self._size += len(data)
        if self.is_full:
            self._room.clear()

    def _write(self, data: memoryview) -> memoryview:
        """Write as much as fits, and return the rest."""
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:  # the client is gone
            self.is_broken = True
            self._forget()
            self._loop.call_soon(self._broken)
            return data[:0]
        return data

    def _ready(self) -> None:
        while self._kept:
            first = self._kept.popleft()
            rest = self._write(first)
            if self.is_broken:
                self._loop.remove_writer(self._descriptor)
                return
            self._size -= len(first) - len(rest)
            if rest:
                self._kept.appendleft(rest)
                break
        else:
            self._loop.remove_writer(self._descriptor)
        if self._size < FULL // 2:
            self._room.set()
            self._drained()

    def _forget(self) -> None:
        self._kept.clear()
        self._size = 0
        self._room.set()
