"""A transport that sends the head of an answer together with the beginning of its body.

Web servers write the two one after the other. Each write is a call to the system and wakes the client, which
costs about as much as the rest of a small answer.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

__all__ = ["JoiningTransport"]

_HEAD: Final = b"HTTP/1.1 "


class JoiningTransport:
    """Keeps the head of an answer until more follows, at most until the event loop's next turn."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head: bytes | None = None
        self._later: asyncio.Handle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send data, or keep it if more will follow."""
        head = self._head
        if head is not None:
            self._forget()
            self._transport.write(head + data)
        elif data.startswith(_HEAD):
            self._head = data
            self._later = self._loop.call_soon(self._flush)
        else:
            self._transport.write(data)

    def close(self) -> None:
        """Close the connection after everything was sent."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        head = self._head
        self._forget()
        if head is not None and not self._transport.is_closing():
            self._transport.write(head)

    def _forget(self) -> None:
        self._head = None
        if self._later is not None:
            self._later.cancel()
            self._later = None
