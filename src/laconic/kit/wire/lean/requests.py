"""Requests, and the replies of a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.protocol import LEGACY, ProtocolError

if TYPE_CHECKING:
    import asyncio

__all__ = ["BatchReply", "Request", "Send"]

Send = Callable[[Any], None]
Id = str | int | None


class BatchReply:
    """The replies to several requests of one line, sent as one line."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._replies: list[Any] = []
        self._open = 1  # until the whole line was handled

    def join(self) -> Send:
        """Return how to send one more reply."""
        self._open += 1
        return self._replies.append

    def add(self, reply: Any) -> None:
        """Add a reply to a message that is not a request."""
        self._replies.append(reply)

    def leave(self) -> None:
        """Note that one request is finished, with or without a reply."""
        self._open -= 1
        if not self._open and self._replies:
            self._send(self._replies)


class Request:
    """One request: what was asked, under which revision, and how it is answered."""

    __slots__ = ("_about", "_batch", "_send", "capabilities", "id", "method", "params", "revision", "task")

    def __init__(
        self,
        about: ServerCard,
        id: Id,
        method: str,
        params: Mapping[str, Any],
        send: Send,
        batch: BatchReply | None = None,
    ) -> None:
        self.id = id
        self.method = method
        self.params = params
        self.revision = ""  # not known before the client has initialized
        self.capabilities: Mapping[str, Any] | None = None
        self.task: asyncio.Task[None] | None = None
        self._about = about
        self._send = batch.join() if batch else send
        self._batch = batch

    @property
    def is_modern(self) -> bool:
        """True if the request is of the modern era."""
        return self.revision not in LEGACY and self.revision != ""

    def reply(self, result: Mapping[str, Any]) -> None:
        """Answer the request in the form of its revision."""
        self._send({"jsonrpc": "2.0", "id": self.id, "result": self._worded(result)})

    def refuse(self, error: ProtocolError) -> None:
        """Answer the request with an error of the protocol."""
        self._send({"jsonrpc": "2.0", "id": self.id, "error": error.wire()})

    def silence(self) -> None:
        """Send no reply: the client cancelled the request."""
        self._send = _nothing

    def end(self) -> None:
        """Note that the request is finished."""
        if self._batch is not None:
            self._batch.leave()

    def _worded(self, result: Mapping[str, Any]) -> dict[str, Any]:
        if not self.is_modern:
            return {name: value for name, value in result.items() if name not in _MODERN}
        return self._about.completed(self.method, result)


def _nothing(message: Any) -> None:
    pass


_MODERN: Final = frozenset({"resultType", "ttlMs", "cacheScope"})  # unknown to earlier revisions
