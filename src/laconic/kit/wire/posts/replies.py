"""The reply to one request: JSON in one piece or, once a notice comes before it, a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from starlette.types import Receive, Send

from laconic.kit.redaction import redacted_log
from laconic.kit.wire.lean.lines import encoded
from laconic.kit.wire.protocol import INTERNAL_ERROR, ProtocolError

__all__ = ["PostReply"]

log = redacted_log("laconic.bug")

_SOON: Final = 0.05  # seconds until a request that still runs is watched
_SILENT: Final = 15.0  # seconds after which a stream shows that it is alive: some proxies close a silent one
_OPENS: Final = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-cache, no-transform"),
        (b"connection", b"keep-alive"),
        (b"x-accel-buffering", b"no"),
    ],
}
_ALIVE: Final = b": ping\r\n\r\n"


class PostReply:
    """How one request is answered; if its client disconnects, the task that makes the answer is cancelled."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._writing = asyncio.Lock()
        self._is_stream = False
        self._is_over = False
        self._task: asyncio.Task[Any] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._watching: asyncio.Task[None] | None = None
        self.is_abandoned = False  # the client disconnected

    def watch(self) -> None:
        """Cancel the present task if the client disconnects; nearly all requests are answered before."""
        self._task = asyncio.current_task()
        self._timer = asyncio.get_running_loop().call_later(_SOON, self._begin)

    def end(self) -> None:
        """Stop watching; nothing more is sent."""
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
        if self._watching is not None:
            self._watching.cancel()

    async def event(self, message: Mapping[str, Any]) -> None:
        """Send a notice before the answer; dropped if the answer was sent already.

        Raises:
            ValueError: it cannot be written as JSON.
        """
        await self._write(_event(encoded(message)))

    async def finish(self, message: Mapping[str, Any], status: int = 200) -> None:
        """Send the answer; the status shows only where nothing was sent before it."""
        try:
            body = encoded(message)
        except (ValueError, TypeError, RecursionError):
            log.exception("an answer that cannot be written as JSON")
            error = ProtocolError(INTERNAL_ERROR, "Internal server error")
            body = encoded({"jsonrpc": "2.0", "id": message["id"], "error": error.wire()})
        async with self._writing:
            self.end()
            if self._is_stream:
                await self._send({"type": "http.response.body", "body": _event(body), "more_body": False})
                return
            length = str(len(body)).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", length)]
            await self._send({"type": "http.response.start", "status": status, "headers": headers})
            await self._send({"type": "http.response.body", "body": body})

    async def _write(self, data: bytes) -> None:
        async with self._writing:
            if self._is_over:
                return
            if not self._is_stream:
                await self._send(_OPENS)
                self._is_stream = True
            await self._send({"type": "http.response.body", "body": data, "more_body": True})

    def _begin(self) -> None:
        self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def _watch(self) -> None:
        leaving = asyncio.ensure_future(self._disconnected())
        try:
            while not (await asyncio.wait([leaving], timeout=_SILENT))[0]:
                await self._write(_ALIVE)
        finally:
            leaving.cancel()
        self.is_abandoned = True
        if self._task is not None:
            self._task.cancel()

    async def _disconnected(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


def _event(data: bytes) -> bytes:
    return b"event: message\r\ndata: " + data + b"\r\n\r\n"
