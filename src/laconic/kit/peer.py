"""The other side of a call: who is calling, and what the server may send or ask during the call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Final, Protocol

from laconic.data import dataclass
from laconic.effects import Effects, note_effect
from laconic.kit.asking import Ask
from laconic.kit.errors import Moved, Refused
from laconic.kit.memory import Memory

__all__ = [
    "AWAITED",
    "COUNTED_AS",
    "SCOPES",
    "SUPPLIED",
    "About",
    "AskLater",
    "Caller",
    "Changed",
    "Changes",
    "Guard",
    "NotSupported",
    "Peer",
    "Progress",
    "Shown",
    "SilentPeer",
]

READ, WRITE = "read", "write"
SCOPES: Final = (READ, WRITE)  # what a token may allow
COUNTED_AS: Final = "laconic/counted-as"  # the claim that names a caller whose limits a token shares


@dataclass(frozen=True)
class Caller:
    """Who is calling: `local` on this machine, issuer and subject over HTTP."""

    name: str = "local"
    scopes: frozenset[str] | None = None  # None: everything is allowed
    claims: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)  # of a signed token
    headers: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # of the request

    @property
    def counted_as(self) -> str:
        """Whose limits it has: its own, or those of who made its token."""
        return str(self.claims.get(COUNTED_AS) or self.name)

    @property
    def may_write(self) -> bool:
        """True if the caller may call tools that write."""
        return self.scopes is None or WRITE in self.scopes

    def refusal(self, tool: str) -> Refused:
        """Return why a caller that may only read cannot call a tool."""
        return Refused(
            f"Your token may only read: {tool} needs the scope '{WRITE}'.",
            code="ACCESS_DENIED",
            advice="Ask for a token that has it.",
        )


class AskLater(BaseException):
    """The answer is a question; the client calls again with the reply.

    Not an Exception, so that a tool's own `except Exception` does not catch the question.
    """

    outcome: Final = "asked"  # for the log

    def __init__(self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None) -> None:
        super().__init__("asked")
        self.requests = dict(requests)
        self.state = state


class NotSupported(Exception):
    """The client did not declare what this call needs: an error of the protocol, not of the tool."""

    outcome: Final = "not supported"  # for the log

    def __init__(self, needs: Mapping[str, Any]) -> None:
        super().__init__(f"This needs client capabilities that were not declared: {', '.join(needs)}.")
        self.needs = dict(needs)


class Peer(Protocol):
    """What a transport lets a call do besides returning an answer."""

    caller: Caller

    @property
    def client(self) -> str:
        """The name of the program that calls, as it gave it; empty if it gave none."""

    async def ask(
        self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None = None
    ) -> Mapping[str, Any]:
        """Ask the client questions (method and parameters by key) and return its replies.

        A modern client calls again with the replies, and the tool runs from its start: give each question
        of a call its own key, and write nothing before the last question. The same question, asked again
        in the same call, gets the same reply.
        """

    def supports(self, method: str, params: Mapping[str, Any]) -> bool:
        """True if the client declared that it answers this question."""

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report how far the work is, if the caller asked for it."""

    async def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log line to the client, if it wants log lines."""

    @property
    def state(self) -> str | None:
        """The state that an earlier `ask` of this call left for the next round."""

    async def close_stream(self) -> None:
        """Drop the connection on purpose, if the client can come back for the answer."""


class SilentPeer:
    """A peer that cannot be asked or told anything: a web route, the command line, a test."""

    def __init__(self, caller: Caller | None = None) -> None:
        self.caller = caller or Caller()
        self.client = ""
        self.state: str | None = None

    async def ask(
        self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None = None
    ) -> Mapping[str, Any]:
        """Refuse: nobody can answer."""
        raise NotSupported({method.partition("/")[0]: {} for method, _ in requests.values()})

    def supports(self, method: str, params: Mapping[str, Any]) -> bool:
        """Return False: nothing is supported."""
        return False

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Send nothing."""

    async def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send nothing."""

    async def close_stream(self) -> None:
        """Do nothing: there is no stream."""


class Progress:
    """Supplied to a tool that can take a while: `await progress(done, total, "reading x")`."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._last = float("-inf")

    async def __call__(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress; values that do not increase are left out, as the protocol requires."""
        if done > self._last:
            self._last = done
            await self._peer.progress(done, total, message)
        await asyncio.sleep(0)  # a place where a cancel can take effect


@dataclass(frozen=True)
class Guard:
    """Supplied to a tool declared with `guard=`: the version the caller expects, if it named one."""

    field: str = "version"
    expected: Any = None

    def check(self, what: str, current: Any, **more: Any) -> None:
        """Check that the thing is still at the version the caller expects; `more` is for the failure.

        Raises:
            Moved: it is at another version.
        """
        if self.expected is not None and str(self.expected) != str(current):
            raise Moved(what, expected=self.expected, current=current, field=self.field, **more)


@dataclass
class Changes:
    """Tells clients that a list or a resource changed: those of this process, and those it relays to."""

    listeners: list[Callable[[str, str | None], Awaitable[None]]] = field(default_factory=list)
    relays: list[Callable[[str, str | None], None]] = field(default_factory=list)
    sharing: Callable[[Path], Changes] | None = None  # how to reach those who share a folder

    async def tell(self, kind: str, uri: str | None = None) -> None:
        """Report a change: kind is `tools`, `prompts`, `resources`, or `resource` with its address."""
        note_effect()
        for relay in self.relays:
            relay(kind, uri)
        await self.hear(kind, uri)

    async def hear(self, kind: str, uri: str | None = None) -> None:
        """Tell the clients of this process what was reported somewhere else."""
        for listener in list(self.listeners):
            await listener(kind, uri)

    def of(self, folder: Path) -> Changes:
        """Return the changes of something that belongs to a user, not to a repository, and is in this folder.

        Reports reach the servers of all repositories that use the same folder.
        """
        return self.sharing(folder) if self.sharing else self


@dataclass(frozen=True)
class Changed:
    """Supplied to a tool that tells what it changed, for the journal of calls."""

    effects: Callable[[], Effects]

    def __call__(self, id: str, /, *texts: str, **fields: tuple[Any, Any]) -> None:
        """Report a thing that changed: fields with their values before and after, texts by name alone."""
        self.effects().note(id, texts, fields)


class Shown(frozenset[str]):
    """Supplied to a tool that fetches only what will be shown: the fields the caller asked for."""


class About(dict[str, Any]):
    """Supplied to a tool that has more to tell programs: further fields of the envelope of its answer."""


SUPPLIED: tuple[type, ...] = (About, Progress, Guard, Caller, Changed, Changes, Shown, Ask, Peer, Memory)
AWAITED: tuple[type, ...] = (Progress, Changes, Ask, Peer, Memory)  # of these, those for async functions only
