"""The path of a call: what a step is, and how steps are put together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from uuid import uuid4

from laconic.data import dataclass
from laconic.effects import Effects
from laconic.kit.answers.cells import one_line
from laconic.kit.answers.content import Block, Text
from laconic.kit.answers.envelope import with_notes
from laconic.kit.peer import About
from laconic.kit.redaction import Redactor

if TYPE_CHECKING:
    from laconic.kit.answers.facts import Facts
    from laconic.kit.answers.pages import Position, Within
    from laconic.kit.arguments.schema import Checked
    from laconic.kit.declaring.spec import Spec
    from laconic.kit.errors import Failure
    from laconic.kit.peer import Peer

__all__ = [
    "Answer",
    "Call",
    "Inner",
    "Output",
    "PatientPeer",
    "RateCount",
    "Step",
    "compose",
    "deadline_at",
    "note_lines",
    "only_for",
    "time_left",
]

Output = Literal["text", "structured", "both"]
_NEEDED: Final = "needed"  # the attribute of a step that says which specs need it
_RECORDING: Final = 30.0  # seconds to record a write that is done

deadline_at: ContextVar[float | None] = ContextVar("deadline_at", default=None)
"""The deadline of the present call, in the event loop's time."""


def time_left() -> float | None:
    """Return the seconds until the deadline of the present call, at least 0; None if there is no deadline."""
    end = deadline_at.get()
    if end is None:
        return None
    try:
        now = asyncio.get_running_loop().time()
    except RuntimeError:  # a plain function, in its thread; the clock of event loops is this one
        now = time.monotonic()
    return max(0.0, end - now)


class RateCount(NamedTuple):
    """A counter of a rate limit: how many calls are allowed, how many were made, seconds until it ends."""

    most: int
    number: int
    left: float


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
    is_tools: bool = False  # a resource that a tool reads: within the budget, as a tool's answer
    budget: int = 0  # characters of the answer, as the budget step decided; 0: no limit
    notes: list[str] = field(default_factory=list)
    redactor: Redactor = field(default_factory=Redactor)
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
            self._reschedule(max(self.deadline_at, asyncio.get_running_loop().time() + _RECORDING))

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


@dataclass
class Answer:
    """What a call returns: blocks for the model, data for programs, and the failure if it failed."""

    blocks: list[Block] = field(default_factory=list)
    structured: dict[str, Any] | None = None
    failure: Failure | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    tail: str = ""  # the end of the text that must not be lost, such as the cursor
    cursor: str | None = None  # of the next page
    facts: Facts | None = None  # what the data was made from, to leave out a part
    value: Any = None  # what the function returned, for steps and resources
    description: str = ""  # of a prompt, for clients
    counts: list[RateCount] = field(default_factory=list)  # of rate limits, for web routes

    @property
    def text(self) -> str:
        """The whole text of the answer."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, Text))

    def note(self, notes: Sequence[str]) -> None:
        """Add notes for the model, to the text and to the data."""
        if not notes:
            return
        text = "\n".join(note_lines(notes))
        if self.structured is not None:
            self.structured = with_notes(self.structured, notes)
        texts = [place for place, block in enumerate(self.blocks) if isinstance(block, Text)]
        if texts:
            last = self.blocks[texts[-1]]
            assert isinstance(last, Text)
            self.blocks[texts[-1]] = replace(last, text=f"{last.text}\n\n{text}")
            self.tail = f"{self.tail}\n\n{text}" if self.tail else text
        elif self.blocks or self.structured is None:
            self.blocks.append(Text(text))


def note_lines(notes: Sequence[str]) -> list[str]:
    """Return notes for the model, each on its line."""
    return [f"Note: {one_line(note)}" for note in notes]


Inner = Callable[[Call], Awaitable[Answer]]
Step = Callable[[Call, Inner], Awaitable[Answer]]
"""Everything around a tool has this one type."""


def only_for(needed: Callable[[Spec], bool]) -> Callable[[Step], Step]:
    """Mark a step that some tools need, resources and prompts included; calls of others do without it."""

    def marked(step: Step) -> Step:
        setattr(step, _NEEDED, needed)
        return step

    return marked


def compose(steps: Sequence[Step], innermost: Inner, spec: Spec | None = None) -> Inner:
    """Put steps around a handler, the first outermost; for the calls of one spec, those that it needs."""
    inner = innermost
    for step in reversed(steps):
        needed: Callable[[Spec], bool] | None = getattr(step, _NEEDED, None)
        if needed is None or (spec is not None and needed(spec)):
            inner = _around(step, inner)
        elif spec is None:
            inner = _around(_where(needed, step), inner)
    return inner


def _around(step: Step, inner: Inner) -> Inner:
    def run(call: Call) -> Awaitable[Answer]:
        return step(call, inner)

    return run


def _where(needed: Callable[[Spec], bool], step: Step) -> Step:
    def run(call: Call, inner: Inner) -> Awaitable[Answer]:
        return step(call, inner) if needed(call.spec) else inner(call)

    return run
