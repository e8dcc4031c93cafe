"""Failures as answers over HTTP, and their statuses."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Final
from uuid import uuid4

from starlette.responses import JSONResponse
from starlette.types import Scope

from laconic.kit.answers.cells import one_line
from laconic.kit.answers.envelope import TABLE, Envelope
from laconic.kit.errors import (
    BadArguments,
    Bug,
    Conflict,
    Failure,
    RateLimited,
    Refused,
    TimedOut,
    TooLarge,
    Unavailable,
    UpstreamDown,
)
from laconic.kit.redaction import Redactor, redacted_log
from laconic.kit.translation import failure_of

__all__ = ["answer_of", "answer_to", "status_of", "too_long"]

log = redacted_log("laconic.http")

_STATUSES: Final[Mapping[type[Failure], int]] = {
    BadArguments: 400,
    Conflict: 409,
    Refused: 403,
    TooLarge: 413,
    RateLimited: 429,
    TimedOut: 504,
    UpstreamDown: 502,
    Unavailable: 503,
}


def status_of(failure: Failure) -> int:
    """Return the HTTP status of a failure."""
    if failure.category == "not_found":
        return 404
    return next((_STATUSES[kind] for kind in type(failure).__mro__ if kind in _STATUSES), 500)


def answer_of(
    failure: Failure,
    redactor: Redactor,
    status: int | None = None,
    trace: str = "",
    envelope: Envelope = TABLE,
) -> JSONResponse:
    """Return a failure as an answer over HTTP, redacted."""
    waits = {} if failure.retry_after is None else {"retry-after": str(max(1, ceil(failure.retry_after)))}
    record = redactor.data_for_model(failure.record(trace=trace), safe=failure.safe)
    return JSONResponse(envelope.failure(record), status or status_of(failure), waits)


def answer_to(error: Exception, scope: Scope, redactor: Redactor, envelope: Envelope = TABLE) -> JSONResponse:
    """Return what an exception means for whoever made a request; a bug is in the log under its trace."""
    what = one_line(f"{scope['method']} {scope['path']}")
    trace, failure = str(uuid4()), failure_of(error, what=what)
    if isinstance(failure, Bug):
        log.error("bug in %s, trace %s", what, trace, exc_info=error)
    return answer_of(failure, redactor, trace="" if failure.callers else trace, envelope=envelope)


def too_long(most: int) -> TooLarge:
    """Return the failure for a body that is too long."""
    return TooLarge(f"The request is longer than {most:,} bytes.", category="validation")
