"""Change notices on the lean wire: for modern clients that subscribe, and legacy clients that watch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from laconic.kit.wire.lean.requests import Request, Send
from laconic.kit.wire.protocol import INTERNAL_ERROR, SUBSCRIPTION_KEY, ProtocolError

__all__ = ["Notices"]

_FLAGS: Final = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}
_ADDRESSES: Final = "resourceSubscriptions"
_MOST: Final = 1024  # subscriptions of one client


class Notices:
    """The subscriptions of one client, and notices that could not be sent yet."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._listeners: dict[Any, tuple[Request, Mapping[str, Any]]] = {}
        self.is_told_all = False  # a legacy client gets notices of every list once it has initialized
        self.watched: set[str] = set()  # by a legacy client
        self.waits: Callable[[], bool] = lambda: False  # True if the client does not keep up with reading
        self._owed: dict[tuple[Any, str], Any] = {}  # one of each kind: a notice has no count

    @property
    def has_subscriptions(self) -> bool:
        """True if the client asked for notices."""
        return bool(self._listeners or self.watched)

    def listen(self, request: Request) -> None:
        """Start a subscription: the first notice lists what it covers."""
        if len(self._listeners) >= _MOST:
            raise ProtocolError(INTERNAL_ERROR, "Subscription limit reached")
        asked = request.params["notifications"]
        honoured = {flag: True for flag in _FLAGS.values() if asked.get(flag)}
        if asked.get(_ADDRESSES):
            honoured[_ADDRESSES] = asked[_ADDRESSES]
        self._listeners[request.id] = request, honoured
        self._tell(
            "notifications/subscriptions/acknowledged", {"notifications": honoured}, subscription=request.id
        )

    def forget(self, id: Any) -> None:
        """End a subscription without a reply: its client cancelled it."""
        self._listeners.pop(id, None)
        self._owed = {key: message for key, message in self._owed.items() if key[0] != id}

    def end(self) -> None:
        """End all subscriptions, each with a reply."""
        for id, (request, _) in self._listeners.items():
            request.reply({"_meta": {SUBSCRIPTION_KEY: id}})
        self._listeners.clear()

    async def changed(self, kind: str, uri: str | None) -> None:
        """Send a notice of one change to every subscription that it concerns."""
        method = "notifications/resources/updated" if uri else f"notifications/{kind}/list_changed"
        about = {"uri": uri} if uri else {}
        if uri in self.watched if uri else self.is_told_all:
            self._tell(method, about)
        for id, (_, honoured) in self._listeners.items():
            wanted = uri in honoured.get(_ADDRESSES, ()) if uri else honoured.get(_FLAGS[kind])
            if wanted:
                self._tell(method, about, subscription=id)

    def catch_up(self) -> None:
        """Send the notices that waited while the client did not read."""
        owed, self._owed = self._owed, {}
        for message in owed.values():
            self._send(message)

    def _tell(self, method: str, params: dict[str, Any], subscription: Any = None) -> None:
        if subscription is not None:
            params = {**params, "_meta": {SUBSCRIPTION_KEY: subscription}}
        message = {"jsonrpc": "2.0", "method": method} | ({"params": params} if params else {})
        if self.waits():
            self._owed[subscription, f"{method} {params}"] = message
        else:
            self._send(message)
