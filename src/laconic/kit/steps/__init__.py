"""The steps every call goes through, one concern a file; the list below is the order, outermost first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.kit.keeping.reading import TOOL
from laconic.kit.steps.arguments import arguments
from laconic.kit.steps.budget import budget
from laconic.kit.steps.cache import cache
from laconic.kit.steps.confirm import confirm
from laconic.kit.steps.deadline import deadline
from laconic.kit.steps.failures import failures
from laconic.kit.steps.limits import limits
from laconic.kit.steps.names import names
from laconic.kit.steps.replay import replay
from laconic.kit.steps.retry import retry
from laconic.kit.steps.scope import scope
from laconic.kit.steps.trace import trace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from laconic.kit.answers.envelope import Envelope
    from laconic.kit.cursors import Cursors
    from laconic.kit.declaring.spec import Spec
    from laconic.kit.keeping.handles import Handles
    from laconic.kit.pipeline import Step
    from laconic.kit.settings import Settings
    from laconic.stores.keyvalue import KeyValue

__all__ = ["standard"]


def standard(
    settings: Settings,
    state: KeyValue,
    cursors: Cursors,
    handles: Handles,
    envelope_of: Callable[[Spec], Envelope],
    cached: Collection[str],
) -> list[Step]:
    """The standard order of steps; `cached` are the toolsets with reads that are."""
    return [
        trace(),  # outermost: sees the final outcome and the whole time
        failures(envelope_of),  # everything below may just raise
        deadline(settings.deadline),  # covers waiting for a place as well as the work
        limits(state, settings.rate, settings.concurrency),  # before any work is done for the caller
        names(),  # former words become present ones before anyone judges them
        scope(settings.read_only),  # no need to check arguments of what is not allowed
        arguments(cursors),  # from here on the call is known to fit
        confirm(),  # a question about a call that would be refused anyway is never asked
        *settings.steps,  # an author's own
        budget(handles, settings.budget, TOOL),  # outside of replay: what is replayed is the whole
        replay(state, settings.deadline, repeats=settings.repeats),  # keeps the answer before the budget acts
        cache(state, cached),  # what is kept is what the tool said
        retry(settings.attempts),  # innermost: the tool alone is tried again
    ]
