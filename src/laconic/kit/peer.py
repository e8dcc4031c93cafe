"""The other side of a call: who is calling, and what the server may say or ask meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from laconic.kit.errors import Moved

__all__ = [
    "AWAITED",
    "SUPPLIED",
    "AskLater",
    "Caller",
    "Changes",
    "Guard",
    "NotSupported",
    "Peer",
    "Progress",
    "Shown",
    "SilentPeer",
]


@dataclass(frozen=True)
class Caller:
    """Who is calling: `local` on this machine, issuer and subject over HTTP."""

    name: str = "local"
    scopes: frozenset[str] | None = None  # None: everything is allowed


class AskLater(BaseException):
    """The question goes out as the answer; the client calls again with the reply.

    Not an Exception: a tool's own `except Exception` must not take the question for a failure.
    """

    def __init__(self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None) -> None:
        super().__init__("asked")
        self.requests = dict(requests)
        self.state = state


class NotSupported(Exception):
    """The client did not declare what this call needs: an error of the protocol, not of the tool."""

    def __init__(self, needs: Mapping[str, Any]) -> None:
        super().__init__(f"This needs client capabilities that were not declared: {', '.join(needs)}.")
        self.needs = dict(needs)


class Peer(Protocol):
    """What a transport lets a call do besides answering."""

    caller: Caller

    async def ask(
        self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None = None
    ) -> Mapping[str, Any]:
        """Put questions to the client (method and parameters by key) and give its replies.

        A modern client calls again with them: whatever the tool did before runs again, so each
        question of a call has a key of its own, and nothing is written before the last one.
        Asked again in the same call, a question gets the same reply.
        """

    def supports(self, method: str, params: Mapping[str, Any]) -> bool:
        """Whether the client declared that it answers this question."""

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far the work is; nothing happens when the caller did not ask to know."""

    async def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log line to the client, where it wants them."""

    @property
    def state(self) -> str | None:
        """What an earlier `ask` of this call left for the second round."""

    async def close_stream(self) -> None:
        """Drop the connection on purpose, where the client can come back for the answer."""


class SilentPeer:
    """A peer that can be told and asked nothing: the command line, and tests."""

    def __init__(self, caller: Caller | None = None) -> None:
        self.caller = caller or Caller()
        self.state: str | None = None

    async def ask(
        self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None = None
    ) -> Mapping[str, Any]:
        """Refuse: nobody is there."""
        raise NotSupported({method.partition("/")[0]: {} for method, _ in requests.values()})

    def supports(self, method: str, params: Mapping[str, Any]) -> bool:
        """Nothing is supported."""
        return False

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Say nothing."""

    async def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Say nothing."""

    async def close_stream(self) -> None:
        """Do nothing: there is no stream."""


class Progress:
    """Supplied to a tool that can take long: `await progress(done, total, "reading x")`."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._last = float("-inf")

    async def __call__(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Report; values that do not grow are left out, as the protocol asks."""
        if done > self._last:
            self._last = done
            await self._peer.progress(done, total, message)
        await asyncio.sleep(0)  # a place where a cancel can take effect


@dataclass(frozen=True)
class Guard:
    """Supplied to a tool declared with `guard=`: the version the caller expects, if it said one."""

    field: str = "version"
    expected: Any = None

    def check(self, what: str, current: Any) -> None:
        """Refuse when the thing is no longer at the version the caller expects.

        Raises:
            Moved: it is at another version now.
        """
        if self.expected is not None and str(self.expected) != str(current):
            raise Moved(what, expected=self.expected, current=current, field=self.field)


@dataclass
class Changes:
    """Tells connected clients that a list or a resource changed."""

    listeners: list[Callable[[str, str | None], Awaitable[None]]] = field(default_factory=list)

    async def tell(self, kind: str, uri: str | None = None) -> None:
        """Tell of a change: kind is `tools`, `prompts`, `resources`, or `resource` with its address."""
        for listener in list(self.listeners):
            await listener(kind, uri)


class Shown(frozenset[str]):
    """Supplied to a tool that fetches only what will be shown: the fields the caller asks for."""


SUPPLIED: tuple[type, ...] = (Progress, Guard, Caller, Changes, Shown, Peer)
AWAITED: tuple[type, ...] = (Progress, Changes, Peer)  # of these, what only an async function can use
