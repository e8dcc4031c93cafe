"""A conversation: what client and server agreed on, and everything answered without running a tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from laconic.kit.wire.about import ServerCard
from laconic.kit.wire.lean.lines import id_of, read
from laconic.kit.wire.lean.notices import Notices
from laconic.kit.wire.lean.requests import BatchReply, Id, Request, Send
from laconic.kit.wire.protocol import (
    BATCHED,
    CAPABILITIES_KEY,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LEGACY,
    METHOD_NOT_FOUND,
    METHODS,
    MODERN,
    REVISION_KEY,
    UNSUPPORTED_REVISION,
    ProtocolError,
    client_name,
    is_id,
)

if TYPE_CHECKING:
    import asyncio

__all__ = ["Conversation"]

_LONGEST_BATCH: Final = 1000  # messages in one line
_ANYTIME: Final = ("initialize", "ping")  # allowed before a legacy client has initialized


class Conversation:
    """One client's messages in their order; it knows nothing about files, tasks or tools."""

    def __init__(self, about: ServerCard, send: Send) -> None:
        self.about = about
        self.send = send
        self.notices = Notices(self._say)
        self.level = "info"  # the lowest level of log lines that a legacy client wants
        self.under_way: dict[Id, Request] = {}
        self.asked: dict[Id, asyncio.Future[Any]] = {}  # our questions to a legacy client
        self.question_ids = count(1)
        self._revision = ""  # the first request that shows its era decides
        self._capabilities: Mapping[str, Any] = {}
        self.client = ""  # the name that a legacy client gave to itself
        self.has_listed = False  # the client knows the tools

    def hear(self, line: bytes) -> list[Request]:
        """Handle one line, and return the requests that need a tool."""
        if not line.strip():
            return []
        try:
            message = read(line)
        except ProtocolError as error:
            self._refuse(id_of(line), error)
            return []
        if not isinstance(message, list):
            return self._take(message)
        if self._revision != BATCHED or not 0 < len(message) <= _LONGEST_BATCH:
            self._refuse(None, ProtocolError(INVALID_REQUEST, "Send one message per line: this is a list."))
            return []
        batch = BatchReply(self._say)
        started = [request for one in message for request in self._take(one, batch)]
        batch.leave()
        return [request for request in started if self.is_under_way(request)]  # not cancelled since

    def is_under_way(self, request: Request) -> bool:
        """True if it still waits for an answer."""
        return self.under_way.get(request.id) is request

    def done(self, request: Request) -> None:
        """Note that a request was answered, or will not be."""
        if self.is_under_way(request):
            del self.under_way[request.id]
        request.end()

    def _say(self, message: Any) -> None:
        self.send(message)  # `send` changes when the event loop starts

    def _refuse(self, id: Id, error: ProtocolError, batch: BatchReply | None = None) -> None:
        say = batch.add if batch else self._say
        say({"jsonrpc": "2.0", "id": id, "error": error.wire()})

    def _take(self, message: Any, batch: BatchReply | None = None) -> list[Request]:
        is_sound = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
        method = message.get("method") if is_sound else None
        params = message.get("params") if is_sound else None
        if is_sound and "method" not in message and ("result" in message or "error" in message):
            self._replied(message)
        elif not isinstance(method, str) or not _are_named(params) or _is_odd(message):
            given = message.get("id") if isinstance(message, dict) else None
            unsound = ProtocolError(
                INVALID_REQUEST, "This is not a JSON-RPC 2.0 message with named parameters."
            )
            self._refuse(given if is_id(given) else None, unsound, batch)
        elif "id" not in message:
            self._noticed(method, params or {})
        else:
            return self._requested(Request(self.about, message["id"], method, params or {}, self._say, batch))
        return []

    def _requested(self, request: Request) -> list[Request]:
        if request.id in self.under_way:
            taken = ProtocolError(
                INVALID_REQUEST, f"The id {request.id!r} belongs to a request that is still running."
            )
            request.refuse(taken)
            request.end()
            return []
        try:
            self._place(request)
            self.about.check(request.method, request.params, is_modern=request.is_modern)
            answer = _AT_ONCE.get(request.method)
            if answer is not None:
                result = answer(self, request)
            elif (result := self.about.told(request.method, request.params)) is None:
                self.under_way[request.id] = request
                return [request]
        except ProtocolError as error:
            request.refuse(error)
        else:
            if result is not None:
                request.reply(result)
        request.end()
        return []

    def _place(self, request: Request) -> None:
        """Determine the revision of a request.

        Raises:
            ProtocolError: it belongs to the other era, or to a revision that is not supported.
        """
        meta = request.params.get("_meta")
        is_marked = isinstance(meta, dict) and REVISION_KEY in meta and request.method != "initialize"
        if is_marked and self._revision in LEGACY:
            words = "This connection began with initialize; requests of 2026-07-28 are not accepted on it."
            raise ProtocolError(INVALID_REQUEST, words)
        if is_marked or self._revision in MODERN:
            self._place_modern(request, meta)
        elif self._revision == "" and request.method not in _ANYTIME and request.method in METHODS:
            if not METHODS[request.method].in_legacy:
                raise ProtocolError(METHOD_NOT_FOUND, "Method not found", request.method)
            raise ProtocolError(INVALID_PARAMS, "Not initialized: send initialize first.")
        else:
            request.revision, request.capabilities = self._revision, self._capabilities

    def _place_modern(self, request: Request, meta: Any) -> None:
        if request.method == "initialize":
            asked = request.params.get("protocolVersion")
            raise _unsupported("This connection speaks 2026-07-28, which has no initialize.", asked)
        if not isinstance(meta, dict):
            needed = f"{REVISION_KEY} and {CAPABILITIES_KEY}"
            raise ProtocolError(
                INVALID_PARAMS, f"params._meta is missing; it must be an object with {needed}."
            )
        missing = [key for key in (REVISION_KEY, CAPABILITIES_KEY) if key not in meta]
        if missing:
            raise ProtocolError(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}.")
        revision, capabilities = meta[REVISION_KEY], meta[CAPABILITIES_KEY]
        if not isinstance(revision, str) or not isinstance(capabilities, dict):
            words = "params._meta: the revision must be a string, the capabilities an object."
            raise ProtocolError(INVALID_PARAMS, words)
        if revision not in MODERN:
            raise _unsupported("Unsupported protocol version", revision)
        self._revision = request.revision = revision
        request.capabilities = capabilities

    def _noticed(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "notifications/cancelled":
            self._cancel(params.get("requestId"))
        elif method == "notifications/initialized" and self._revision in LEGACY:
            self.notices.is_told_all = True

    def _cancel(self, id: Any) -> None:
        if not is_id(id):
            return
        request = self.under_way.get(id)
        if request is None:
            return
        request.silence()
        if request.task is not None:
            request.task.cancel()
        else:  # a subscription, or a request that has not started yet
            self.notices.forget(id)
            self.done(request)

    def _replied(self, message: Mapping[str, Any]) -> None:
        id = message.get("id")
        waiting = self.asked.get(id) if is_id(id) else None
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    def _initialize(self, request: Request) -> Mapping[str, Any]:
        result = self.about.initialize(request.params)
        self._revision = request.revision = result["protocolVersion"]
        self._capabilities = request.params["capabilities"]
        self.client = client_name(request.params.get("clientInfo"))
        return result

    def _list_tools(self, request: Request) -> Mapping[str, Any]:
        result = self.about.tools(request.params)
        self.has_listed = True
        return result

    def _set_level(self, request: Request) -> Mapping[str, Any]:
        self.level = request.params["level"]
        return {}

    def _watch(self, request: Request) -> Mapping[str, Any]:
        self.notices.watched.add(request.params["uri"])
        return {}

    def _unwatch(self, request: Request) -> Mapping[str, Any]:
        self.notices.watched.discard(request.params["uri"])
        return {}

    def _listen(self, request: Request) -> None:
        """Keep a subscription open, with no task: its notices are sent when something changes."""
        self.notices.listen(request)
        self.under_way[request.id] = request


def _unsupported(words: str, asked: Any) -> ProtocolError:
    data = {"supported": list(MODERN)} | ({"requested": asked} if isinstance(asked, str) else {})
    return ProtocolError(UNSUPPORTED_REVISION, words, data)


def _are_named(params: Any) -> bool:
    return params is None or isinstance(params, dict)


def _is_odd(message: Mapping[str, Any]) -> bool:
    return "id" in message and not is_id(message["id"])


_AT_ONCE: Final[Mapping[str, Callable[[Conversation, Request], Mapping[str, Any] | None]]] = {
    "initialize": Conversation._initialize,
    "ping": lambda conversation, request: {},
    "logging/setLevel": Conversation._set_level,
    "subscriptions/listen": Conversation._listen,
    "tools/list": Conversation._list_tools,
    "resources/subscribe": Conversation._watch,
    "resources/unsubscribe": Conversation._unwatch,
}
