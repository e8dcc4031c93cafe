"""Known failures become readable answers; a bug becomes a short answer with a trace id."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from errno import EACCES, EPERM, EROFS

from laconic.kit.answers.envelope import Envelope
from laconic.kit.declaring.spec import Spec
from laconic.kit.effects import changed_by
from laconic.kit.errors import Bug, Conflict, Failure, NotFound, OutsideWorkspace, UpstreamDown
from laconic.kit.errors.notices import Way
from laconic.kit.keeping.handles import Handles, way_to_read
from laconic.kit.peer import NotSupported
from laconic.kit.pipeline import Answer, Call, Inner, Step
from laconic.kit.present.failing import failed
from laconic.kit.redaction import redacted_log
from laconic.stores import errors as stores

_BY_HAND = "Fix the file by hand; trying again does not help."
_ALLOW = "The person who runs this server must allow it; trying again does not help."
_PATIENCE = 2.0  # seconds for keeping the rest of a failure: nothing may hold up the failure itself
log = redacted_log("laconic.bug")


def failures(envelope_of: Callable[[Spec], Envelope], handles: Handles | None, tool: str) -> Step:
    """Turn every exception from below into an answer; `tool` reads what did not fit and was kept."""

    async def keep(call: Call, text: str) -> Way | None:
        if handles is None:
            return None
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
        try:
            answer = await inner(call)
        except NotSupported:
            raise  # for the transport to report: the client lacks something, not the call
        except (Exception, SystemExit) as error:  # a write may be done when a step wants to leave
            failure = _known(error, call)
            failure.changed = changed_by(call, error)
            return await failed(call, failure, envelope_of(call.spec), keep)
        answer.note(call.notes)
        return answer

    return step


def _known(error: BaseException, call: Call) -> Failure:
    if isinstance(error, NotFound) and not error.advice and call.spec.hint:
        error.advice = call.spec.advice
    if isinstance(error, Failure):
        return error
    if isinstance(error, stores.Missing):
        return Failure(str(error), code=NotFound.code, category=NotFound.category, advice=call.spec.advice)
    if isinstance(error, stores.OutsideFolder):
        return OutsideWorkspace(str(error))
    if isinstance(error, stores.Taken):
        return Conflict(str(error))
    if isinstance(error, stores.Unreadable):
        return Failure(str(error), code="PROVIDER_ERROR", category="server", advice=_BY_HAND)
    if isinstance(error, stores.StoreError) and _is_forbidden(error.__cause__):
        return Failure(str(error), code="PROVIDER_ERROR", category="server", advice=_ALLOW)
    if isinstance(error, stores.Unusable):
        return UpstreamDown(str(error), code="PROVIDER_ERROR", category="server", advice="")
    if isinstance(error, stores.StoreError):
        return UpstreamDown(str(error), code="PROVIDER_ERROR", category="server")
    log.error("bug in %s, trace %s", call.spec.name, call.trace, exc_info=error)
    return Bug(f"{call.spec.name} failed unexpectedly.")


def _is_forbidden(cause: BaseException | None) -> bool:
    return isinstance(cause, OSError) and cause.errno in (EACCES, EPERM, EROFS)
