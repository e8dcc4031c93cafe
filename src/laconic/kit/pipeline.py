"""The path of a call: what a step is, and how steps are put together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, cast
from uuid import uuid4

from laconic.data import dataclass
from laconic.effects import Effects
from laconic.kit.answers.answer import Answer, RateCount
from laconic.kit.peer import About
from laconic.kit.redaction import Redactor

if TYPE_CHECKING:
    from laconic.kit.answers.pages import Position, Within
    from laconic.kit.arguments.checked import Checked
    from laconic.kit.declaring.spec import Spec
    from laconic.kit.peer import Peer

__all__ = [
    "Answer",
    "Call",
    "Ended",
    "Inner",
    "Output",
    "PatientPeer",
    "Reader",
    "Step",
    "compose",
    "deadline_at",
    "not_of_relays",
    "only_for",
    "time_left",
]

Output = Literal["text", "structured", "both"]
Reader = Literal["host", "tool", "slice"]
"""Who reads a resource: a host, a tool that shows it, or a tool that takes a slice of all of it."""
_NEEDED: Final = "needed"  # the attribute of a step that says which specs need it
_NOT_OF_RELAYS: Final = "not_of_relays"  # the attribute of a step that the relayed call has, not the relay
_PARTS: Final = 2  # parameters of a step
_RECORDING: Final = 30.0  # seconds to record a write that is done

deadline_at: ContextVar[float | None] = ContextVar("deadline_at", default=None)
"""The deadline of the present call, in the event loop's time."""


def time_left() -> float | None:
    """Return the seconds until the deadline of the present call, at least 0; None if there is no deadline."""
    end = deadline_at.get()
    if end is None:
        return None
    return max(0.0, end - time.monotonic())  # the clock of event loops


@dataclass
class Call:
    """One call: what was asked, by whom, and what the steps have found out so far."""

    spec: Spec
    arguments: dict[str, Any]
    peer: Peer
    name: str = ""  # the name the caller used: present or former
    output: Output = "text"
    checked: Checked | None = None
    position: Position | None = None  # where the page begins that the function is asked for
    within: Within | None = None  # what was shown of that page before, if it was too long
    reader: Reader = "host"  # of a resource
    budget: int = 0  # characters of the answer, as the budget step decided; 0: no limit
    notes: list[str] = field(default_factory=list)
    redactor: Redactor = field(default_factory=Redactor)
    loop: asyncio.AbstractEventLoop | None = None  # it runs in; asking for it takes a system call
    deadline_at: float | None = None  # in the event loop's time; None: no deadline, or not yet
    timer: asyncio.Timeout | None = None  # stops the call then; made when the call first waits
    started: bool = False  # its function was: from here on there may be an effect
    returned: bool = False  # its function did: what a write was to do is done

    # What most calls have no use for is made on first use.

    @cached_property
    def query(self) -> dict[str, Any]:
        """The filters that a cursor is bound to."""
        return {}

    @cached_property
    def view(self) -> dict[str, Any]:
        """The form of the pages: limit, format, fields, budget."""
        return {}

    @cached_property
    def made(self) -> dict[type, Any]:
        """What the toolset makes for each call."""
        return {}

    @cached_property
    def about(self) -> About:
        """Further fields of the envelope."""
        return About()

    @cached_property
    def counts(self) -> list[RateCount]:
        """The counters of rate limits that it was counted by."""
        return []

    @cached_property
    def effects(self) -> Effects:
        """The effects of its function, as far as the kit can see them."""
        return Effects()

    def finish(self) -> None:
        """Note that the function returned; a write that is done gets the time to be recorded."""
        self.returned = True
        if self.spec.writes and self.deadline_at is not None:
            self._reschedule(max(self.deadline_at, time.monotonic() + _RECORDING))

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Stop the clock of the deadline while a person is asked."""
        if self.deadline_at is None:
            yield
            return
        loop = asyncio.get_running_loop()
        left = self.deadline_at - loop.time()
        self._reschedule(None)
        try:
            yield
        finally:
            self._reschedule(loop.time() + left)
            deadline_at.set(self.deadline_at)

    def _reschedule(self, until: float | None) -> None:
        self.deadline_at = until
        if self.timer is not None and not self.timer.expired():
            self.timer.reschedule(until)

    @cached_property
    def trace(self) -> str:
        """The id of this call in the log and for the caller; made on first use."""
        return str(uuid4())

    @property
    def relays(self) -> bool:
        """True if it only calls another tool or resource, which is counted and timed separately."""
        named = self.spec.relays
        if not named:
            return False
        return named is True or self.arguments.get(str(named)) is not None

    @property
    def scope(self) -> str:
        """The caller and the tool, to which cursors and keys are bound."""
        return f"{self.peer.caller.name}\n{self.spec.name}"


class PatientPeer:
    """The peer that a tool gets: the clock of the deadline stops while the client is asked."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self.caller = call.peer.caller

    async def ask(
        self, requests: Mapping[str, tuple[str, dict[str, Any]]], state: str | None = None
    ) -> Mapping[str, Any]:
        """Ask the client questions."""
        with self._call.waiting():
            return await self._call.peer.ask(requests, state)

    def supports(self, method: str, params: Mapping[str, Any]) -> bool:
        """True if the client declared that it answers this question."""
        return self._call.peer.supports(method, params)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._call.peer, name)


Inner = Callable[[Call], Awaitable[Answer]]
"""What a step goes on with: the next step, or the tool."""
Step = Callable[[Call, Inner], Awaitable[Answer]]
"""Everything around a tool has this one type."""


class Ended(Protocol):
    """Gets the end of every call: its answer, or without one how it ended, and when it began."""

    def __call__(self, call: Call, answer: Answer | None, began: float, outcome: str = ...) -> None:
        """Take the end of a call."""


def only_for(needed: Callable[[Spec], bool]) -> Callable[[Step], Step]:
    """Mark a step that some tools need, resources and prompts included; calls of others do without it."""

    def marked(step: Step) -> Step:
        setattr(step, _NEEDED, needed)
        return step

    return marked


def not_of_relays(step: Step) -> Step:
    """Mark a step that a call does without if it only calls another, which has the step itself."""
    setattr(step, _NOT_OF_RELAYS, True)
    return step


def compose(steps: Sequence[Step], innermost: Inner, spec: Spec | None = None) -> Inner:
    """Put steps around a handler, the first outermost; for the calls of one spec, those that it needs."""
    inner = innermost
    for step in reversed(steps):
        needed: Callable[[Spec], bool] | None = getattr(step, _NEEDED, None)
        if hasattr(step, _NOT_OF_RELAYS) and (spec is None or spec.relays):
            step = _unless_relaying(step)
        if needed is None or (spec is not None and needed(spec)):
            inner = _around(step, inner)
        elif spec is None:
            inner = _around(_where(needed, step), inner)
    return inner


def _around(step: Step, inner: Inner) -> Inner:
    """Return a step whose inner part is known: the default of its parameter, which costs a call nothing."""
    if isinstance(step, FunctionType) and step.__code__.co_argcount == _PARTS and not step.__kwdefaults__:
        known = FunctionType(step.__code__, step.__globals__, step.__name__, (inner,), step.__closure__)
        return cast("Inner", known)

    def run(call: Call) -> Awaitable[Answer]:
        return step(call, inner)

    return run


def _unless_relaying(step: Step) -> Step:
    def run(call: Call, inner: Inner) -> Awaitable[Answer]:
        return inner(call) if call.relays else step(call, inner)

    return run


def _where(needed: Callable[[Spec], bool], step: Step) -> Step:
    def run(call: Call, inner: Inner) -> Awaitable[Answer]:
        return step(call, inner) if needed(call.spec) else inner(call)

    return run
