"""The steps that every call goes through, one concern per file; `standard` has their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laconic.kit.journal.recording import recording
from laconic.kit.keeping.handles import TOOL
from laconic.kit.steps.arguments import arguments
from laconic.kit.steps.budget import budget
from laconic.kit.steps.cache import cache
from laconic.kit.steps.confirm import confirm
from laconic.kit.steps.deadline import deadline
from laconic.kit.steps.failures import failures
from laconic.kit.steps.limits import limits
from laconic.kit.steps.names import names
from laconic.kit.steps.reading import reading
from laconic.kit.steps.replay import replay
from laconic.kit.steps.retry import retry
from laconic.kit.steps.scope import scope
from laconic.kit.steps.stopping import stopping
from laconic.kit.steps.trace import trace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from laconic.kit.answers.envelope import Envelope
    from laconic.kit.cursors import Cursors
    from laconic.kit.declaring.spec import Spec
    from laconic.kit.journal.calls import CallJournal
    from laconic.kit.keeping.handles import Handles
    from laconic.kit.pipeline import Call, Step
    from laconic.kit.settings import Settings
    from laconic.kit.stopping import Stop
    from laconic.stores.keyvalue import KeyValue

__all__ = ["outer", "standard"]

# What a web route beside the tools needs too: it checks its arguments and makes its answers itself.
_OUTER = frozenset({"trace", "failures", "stopping", "deadline", "limits", "scope"})


def outer(steps: Iterable[Step]) -> list[Step]:
    """Return those of the standard steps that web routes go through, in the same order."""
    return [step for step in steps if getattr(step, "__module__", "").rpartition(".")[2] in _OUTER]


def standard(
    settings: Settings,
    state: KeyValue,
    cursors: Cursors,
    handles: Handles,
    kept: KeyValue,
    envelope_of: Callable[[Spec], Envelope],
    cached: Mapping[str, float],
    section_of: Callable[[Spec], Any],
    stop: Stop,
    make: Callable[[Call], Awaitable[None]],
    calls: CallJournal | None = None,
    line_of: Callable[[Spec], str] = lambda spec: "",
) -> list[Step]:
    """Return the steps, outermost first; `cached` are toolsets with cached reads, and their longest time."""
    sizes = (settings.budget, settings.block_bytes)
    rests = handles if settings.budget else None
    ended = recording(calls) if calls else None
    return [
        trace(line_of),  # outermost: sees the final outcome and the whole time
        failures(envelope_of, rests, TOOL, ended),  # everything below may just raise; the journal has its end
        stopping(stop),  # before anything is done for a call, and around all that may take long
        deadline(settings.deadline),  # covers waiting for a free place as well as the work
        limits(state, settings.rates, settings.concurrency),  # before any work is done for the caller
        names(),  # former names become present ones before anything checks them
        scope(settings.read_only),  # a call that is not allowed needs no check of its arguments
        arguments(cursors, make),  # from here on the arguments are valid
        reading(settings.read_only),  # the rest of `scope`, for tools whose arguments tell if they write
        confirm(section_of),  # never asks about a call that would be refused anyway
        *settings.steps,  # an author's own
        budget(handles, sizes, TOOL, envelope_of),  # outside of replay, which repeats whole answers
        replay(state, settings.deadline, repeats=settings.repeats),  # keeps answers before they are shortened
        cache(state, kept, cached),  # keeps what the tool returned
        retry(settings.attempts),  # innermost: repeats the tool alone
    ]
