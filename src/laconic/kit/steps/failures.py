"""Known failures become readable answers; a bug becomes a short answer with a trace id."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Any

from laconic.kit.answers.envelope import Envelope
from laconic.kit.declaring.spec import RouteSpec, Spec
from laconic.kit.effects import changed_by
from laconic.kit.errors import Bug, Failure
from laconic.kit.errors.notices import Way
from laconic.kit.keeping.handles import Handles, way_to_read
from laconic.kit.peer import AskLater, NotSupported
from laconic.kit.pipeline import Answer, Call, Ended, Inner, Step
from laconic.kit.plain import jsonable
from laconic.kit.present.failing import failed
from laconic.kit.redaction import redacted_log
from laconic.kit.translation import failure_of

_PATIENCE = 2.0  # seconds for keeping the rest of a failure: nothing may hold up the failure itself
log = redacted_log("laconic.bug")


def failures(
    envelope_of: Callable[[Spec], Envelope], handles: Handles | None, tool: str, ended: Ended | None = None
) -> Step:
    """Turn every exception from below into an answer; `tool` reads what did not fit and was kept.

    `ended` is no step of its own, since it would cost every call another coroutine.
    """

    async def keep(call: Call, text: str) -> Way | None:
        if handles is None or isinstance(call.spec, RouteSpec):
            return None  # programs get the whole record
        caller, name = call.peer.caller.name, call.spec.name
        try:
            async with asyncio.timeout(_PATIENCE):
                kept = handles.keep(caller, text, tool=name, subject=None, began=handles.now(), kind="text")
                handle = await kept
        except Exception:
            log.warning("the rest of a failure of %s could not be kept", name, exc_info=True)
            return None  # the failure itself still arrives
        return lambda line: way_to_read(tool, handle, f"lines='{line}-'")

    async def step(call: Call, inner: Inner) -> Answer:
        began = perf_counter()
        try:
            try:
                answer = await inner(call)
            except NotSupported:
                raise  # for the transport to report: the client lacks something, not the call
            except (Exception, SystemExit) as error:  # a write may be done when a step wants to leave
                failure = _known(error, call)
                failure.changed = changed_by(call, error)
                answer = await failed(call, failure, envelope_of(call.spec), keep)
            else:
                if call.notes:
                    answer.note(call.notes)
        except BaseException as end:
            if ended is not None:
                outcome = end.outcome if isinstance(end, AskLater | NotSupported) else "cancelled"
                ended(call, None, began, outcome)
            raise
        if ended is not None:
            ended(call, answer, began)
        return answer

    return step


def _known(error: BaseException, call: Call) -> Failure:
    failure = failure_of(error, call.spec.advice, call.spec.name, lambda: _given(call))
    if isinstance(failure, Bug) and failure is not error:
        log.error("bug in %s, trace %s", call.spec.name, call.trace, exc_info=error)
    return failure


def _given(call: Call) -> dict[str, Any]:
    """Return the arguments by the names that the caller knows, as JSON."""
    wire = call.checked.wire if call.checked else call.arguments
    return {name: jsonable(value) for name, value in wire.items()}
