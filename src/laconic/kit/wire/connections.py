"""Connections over HTTP: how long a request may take to arrive, and how many connections there may be.

Whoever can reach the port can open connections, with or without a token. They must not use up the files of
the process, keep others from being served, or fill the log.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections import Counter
from typing import Any, Final

from starlette.requests import ClientDisconnect
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from laconic.kit.redaction import redacted_log
from laconic.kit.wire.joining import JoiningTransport
from laconic.kit.wire.loops import LastingLoop

__all__ = ["LOOP", "Connection", "new_loop"]

log = redacted_log("laconic.http")

PATIENCE: Final = 10.0  # seconds for a request to arrive; more if it is long
PACE: Final = 10_000  # bytes that must arrive in each further second
MOST: Final = 10_000  # connections, where the limit of open files allows it
_RESERVED: Final = 64  # files for everything else
_AT_ONCE: Final = 8  # connections accepted before those accepted earlier are counted
_EACH: Final = 1.0  # seconds between two lines of the log

LOOP: Final = "auto" if sys.platform == "win32" else f"{__name__}:new_loop"  # for uvicorn, by name

_OF_SDK: Final = "mcp.server.streamable_http"  # its logger

_END: Final = b"connection: close\r\ncontent-length: 0\r\n\r\n"
_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\n" + _END
_FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n" + _END


def most_connections() -> int:
    """Return how many connections leave enough files for everything else."""
    if sys.platform == "win32":
        return MOST
    import resource  # not on Windows

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST
    return max(1, min(MOST, files - max(_RESERVED, files // 4)))


class Tally(logging.Filter):
    """Counts what happens to connections, and logs the counts at most once a second."""

    _NOISY: Final = {  # what uvicorn logs each time
        "Invalid HTTP request received.": "invalid request",
        "Unsupported upgrade request.": "unsupported upgrade",
    }

    def __init__(self) -> None:
        super().__init__()
        self._counts: Counter[str] = Counter()
        logging.getLogger("uvicorn.error").addFilter(self)
        logging.getLogger(_OF_SDK).addFilter(self)

    def count(self, what: str) -> None:
        """Count one connection."""
        if not self._counts:
            asyncio.get_running_loop().call_later(_EACH, self._write)
        self._counts[what] += 1

    def filter(self, record: logging.LogRecord) -> bool:
        """Count a line of uvicorn instead of logging it; drop the SDK's about a client that left."""
        if record.exc_info and isinstance(record.exc_info[1], ClientDisconnect):
            return False
        what = self._NOISY.get(str(record.msg))
        if what is None:
            return not str(record.msg).startswith("No supported WebSocket library")
        self.count(what)
        return False

    def _write(self) -> None:
        counts, self._counts = self._counts, Counter()
        log.warning("HTTP connections closed: %s", ", ".join(f"{n:,} {what}" for what, n in counts.items()))


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # the class of whichever parser is installed
    """One connection; it is closed if its request does not arrive in time, or to make room for another."""

    _tally = Tally()
    _since = 0.0  # when it began to wait for a request
    _received = 0  # bytes of that request
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start to wait for the first request."""
        connected = transport.get_extra_info("socket")
        if connected is not None and connected.family in (socket.AF_INET, socket.AF_INET6):
            # The workers of uvicorn share a socket that asyncio does not recognise as TCP. By default the end
            # of an answer would wait for the client's delayed acknowledgement of its beginning: 40 ms.
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(JoiningTransport(transport, self.loop))
        self._wait()
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        self._received += len(data)
        super().data_received(data)
        if not self.is_waiting:
            self._stop_timer()
        elif self._timer is None:
            self._received = len(data)
            self._wait()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header without the spaces after its value, which httptools leaves there."""
        super().on_header(name, value.rstrip(b" \t"))

    def on_response_complete(self) -> None:
        """Note that it is idle from now on; uvicorn closes it after a few seconds."""
        self._since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_timer()
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """True if no whole request has arrived that is not yet answered."""
        cycle = self.cycle
        return cycle is None or cycle.more_body or cycle.response_complete

    def _wait(self) -> None:
        self._since = self.loop.time()
        self._timer = self.loop.call_later(PATIENCE, self._look)

    def _look(self) -> None:
        """Close the connection if its time is up."""
        left = self._since + PATIENCE + self._received / PACE - self.loop.time()
        if left > 0:
            self._timer = self.loop.call_later(left, self._look)
        else:
            self._timer = None
            self._close(_LATE, "request not complete in time")

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make_room(self) -> None:
        """Close the connection that has waited longest for a request; if all are busy, this one."""
        waiting = [
            other
            for other in self.connections
            if other is not self and other.is_waiting and not other.transport.is_closing()
        ]
        if waiting:
            min(waiting, key=lambda other: other._since)._close(_LATE, "made room for others")
        else:
            self._close(_FULL, "refused, all others are busy")

    def _close(self, answer: bytes, why: str) -> None:
        if self.transport.is_closing():
            return
        self._tally.count(why)
        if self.cycle is None or not (self.cycle.response_started or self.cycle.response_complete):
            self.transport.write(answer)
        self.transport.close()


class Listener(socket.socket):
    """A listening socket that accepts a few connections at a time, so that too many are noticed in time."""

    _accepted = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection."""
        if self._accepted == _AT_ONCE:
            raise BlockingIOError  # asyncio asks again after handling what was accepted
        if not self._accepted:
            asyncio.get_running_loop().call_soon(self._go_on)
        self._accepted += 1
        try:
            return super().accept()
        except OSError:
            self._accepted = _AT_ONCE  # asyncio would try, and log, as often as the backlog is long
            raise

    def _go_on(self) -> None:
        self._accepted = 0


class Loop(LastingLoop):
    """An event loop that accepts connections carefully."""

    async def create_server(self, *args: Any, sock: socket.socket | None = None, **more: Any) -> Any:
        """Listen on a socket."""
        listener = Listener(fileno=sock.detach()) if sock is not None else None
        return await super().create_server(*args, sock=listener, **more)

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """Log in one line that no file can be opened; asyncio tries again after a second."""
        if "socket" in context and isinstance(context.get("exception"), OSError):
            log.error("HTTP: %s: %s", context["message"], context["exception"])
        else:
            super().default_exception_handler(context)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of a server."""
    return Loop()
