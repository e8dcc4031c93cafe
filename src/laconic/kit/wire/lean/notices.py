"""Change notices on the lean wire: for modern clients that subscribe, and legacy clients that watch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from laconic.kit.wire.lean.requests import Request, Send
from laconic.kit.wire.protocol import INTERNAL_ERROR, SUBSCRIPTION_KEY, ProtocolError

__all__ = ["Notices", "acknowledgement", "change_notice", "honoured_in", "is_wanted"]

_FLAGS: Final = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}
_ADDRESSES: Final = "resourceSubscriptions"
MOST: Final = 1024  # subscriptions of one client


def honoured_in(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a subscription covers of what a client asked for."""
    honoured: dict[str, Any] = {flag: True for flag in _FLAGS.values() if asked.get(flag)}
    return honoured | ({_ADDRESSES: asked[_ADDRESSES]} if asked.get(_ADDRESSES) else {})


def is_wanted(honoured: Mapping[str, Any], kind: str, uri: str | None) -> bool:
    """True if a subscription covers a change."""
    return bool(uri in honoured.get(_ADDRESSES, ()) if uri else honoured.get(_FLAGS[kind]))


def acknowledgement(honoured: Mapping[str, Any], subscription: Any) -> dict[str, Any]:
    """Return the first notice of a subscription, which lists what it covers."""
    return _notice("subscriptions/acknowledged", {"notifications": honoured}, subscription)


def change_notice(kind: str, uri: str | None, subscription: Any = None) -> dict[str, Any]:
    """Return the notice of a change; a legacy client has no subscription."""
    if uri:
        return _notice("resources/updated", {"uri": uri}, subscription)
    return _notice(f"{kind}/list_changed", {}, subscription)


def _notice(name: str, params: dict[str, Any], subscription: Any) -> dict[str, Any]:
    if subscription is not None:
        params = {**params, "_meta": {SUBSCRIPTION_KEY: subscription}}
    return {"jsonrpc": "2.0", "method": f"notifications/{name}"} | ({"params": params} if params else {})


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
        if len(self._listeners) >= MOST:
            raise ProtocolError(INTERNAL_ERROR, "Subscription limit reached")
        honoured = honoured_in(request.params["notifications"])
        self._listeners[request.id] = request, honoured
        self._tell(request.id, "", acknowledgement(honoured, request.id))

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
        about = uri or kind
        if uri in self.watched if uri else self.is_told_all:
            self._tell(None, about, change_notice(kind, uri))
        for id, (_, honoured) in self._listeners.items():
            if is_wanted(honoured, kind, uri):
                self._tell(id, about, change_notice(kind, uri, id))

    def catch_up(self) -> None:
        """Send the notices that waited while the client did not read."""
        owed, self._owed = self._owed, {}
        for message in owed.values():
            self._send(message)

    def _tell(self, subscription: Any, about: str, message: Mapping[str, Any]) -> None:
        if self.waits():
            self._owed[subscription, about] = message
        else:
            self._send(message)
