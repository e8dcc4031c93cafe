"""Waits: what a call learns about limits of speed, from the requests that it makes."""

from collections.abc import MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from laconic.upstream import Outlook

RATE_LIMIT: Final = "_rateLimit"
_NEAR: Final = 0.1  # of a limit of our own that is left
_SHORTEST: Final = 0.1  # seconds that count as a wait: a busy machine alone takes some


@dataclass
class Waits:
    """The waits of one call, told to programs in `about` and to models in `notes`."""

    about: MutableMapping[str, Any]
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, waited: float, outlook: Outlook) -> None:
        """Note a request: how long it waited, and how much of the limit is left."""
        self.seconds += waited if waited >= _SHORTEST else 0.0
        is_near = outlook.left is not None and outlook.left < _NEAR
        if not self.seconds and not is_near:
            return
        facts: dict[str, Any] = {"retryAfterMs": round(outlook.wait * 1000)}
        if self.seconds:
            facts["waitedMs"] = round(self.seconds * 1000)
        if outlook.left is not None:
            facts["left"] = round(outlook.left, 2)
        self.about[RATE_LIMIT] = facts

    def tell(self) -> None:
        """Tell in words what programs are told."""
        facts = self.about.get(RATE_LIMIT)
        if not facts:
            return
        if facts.get("waitedMs"):
            self.notes.append(f"Waited {facts['waitedMs'] / 1000:.1f} s for the rate limit.")
        if facts.get("left", 1) < _NEAR:
            self.notes.append("The rate limit is nearly used up: the next calls wait.")


_PRESENT: ContextVar[Waits | None] = ContextVar("waits", default=None)


def watch(waits: Waits) -> None:
    """Let the requests of the present call note their waits."""
    _PRESENT.set(waits)


def note_wait(waited: float, outlook: Outlook) -> None:
    """Note a request of the present call."""
    waits = _PRESENT.get()
    if waits is not None:
        waits.add(waited, outlook)
