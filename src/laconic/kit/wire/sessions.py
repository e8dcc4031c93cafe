"""Sessions of legacy clients over HTTP: what each keeps for a client that lost its stream, and how long."""

from __future__ import annotations

from collections import deque
from typing import Final

from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import JSONRPCMessage

__all__ = ["IDLE", "SessionEvents", "SessionManager"]

IDLE: Final = 30 * 60.0  # seconds that a session lasts without a request or an open stream


class SessionEvents(EventStore):
    """The last messages of one session, for a client that lost its stream."""

    def __init__(self) -> None:
        self._events: deque[tuple[int, str, JSONRPCMessage | None]] = deque(maxlen=256)
        self._count = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Keep a message, and return its number."""
        self._count += 1
        self._events.append((self._count, stream_id, message))
        return str(self._count)

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Send what came after a message on its stream; None if the message is not kept any more."""
        if not last_event_id.isdecimal():
            return None
        last = int(last_event_id)
        stream = next((stream for number, stream, _ in self._events if number == last), None)
        if stream is None:
            return None
        for number, of, message in list(self._events):
            if number > last and of == stream and message is not None:  # None opens a stream: nothing to send
                await send_callback(EventMessage(message, str(number)))
        return stream


class SessionManager(StreamableHTTPSessionManager):
    """Gives each session its own events.

    The SDK shares one store among all sessions and names streams by the request id alone, so a client
    that comes back could get the answer of another session.
    """

    @property
    def event_store(self) -> EventStore | None:
        """A new one each time it is asked for: once for each session."""
        return SessionEvents()

    @event_store.setter
    def event_store(self, value: EventStore | None) -> None: ...
