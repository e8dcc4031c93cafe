"""Answers become replies or errors, by their status, with secrets hidden."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from laconic.upstream.decoding import json_of, kind_of
from laconic.upstream.errors import BadReply, Faulty, Rejected, Throttled, rejection
from laconic.upstream.exchange import Received
from laconic.upstream.hiding import hidden, hidden_headers
from laconic.upstream.messages import ApiRequest
from laconic.upstream.policy import Policy
from laconic.upstream.retrying import asked_wait

__all__ = ["body_of", "is_success", "rejected"]

_LONGEST: Final = 2_000  # letters of a body that is not JSON


def is_success(received: Received, request: ApiRequest) -> bool:
    """True if a status is what was hoped for."""
    return 200 <= received.status < 300 or received.status in request.accepts


def body_of(received: Received, request: ApiRequest, host: str) -> Any:
    """Return the body of a success as it was asked for; None if there is none.

    Raises:
        BadReply: it should be JSON and is not; the message says what it is.
    """
    if request.reads == "bytes":
        return received.content
    if request.reads == "text":
        return received.content.decode(errors="replace")
    if not received.content:
        return None
    try:
        return json_of(received.content)
    except ValueError as error:
        kind = kind_of(received.content, received.headers.get("content-type", ""))
        words = f"{host} sent {kind} instead of an answer." if "JSON" not in kind else f"{host} sent {kind}."
        raise BadReply(words, changed=None if request.changes else False) from error


def rejected(
    received: Received, request: ApiRequest, host: str, policy: Policy, now: float, secrets: Collection[str]
) -> Rejected:
    """Return the error that a status is, with what the other system said about it."""
    body = hidden(_said(received), secrets)
    kind = policy.kind(received.status, body) or rejection(received.status)
    is_unsure = issubclass(kind, Faulty) and request.changes
    more: dict[str, Any] = {
        "status": received.status,
        "body": body,
        "headers": hidden_headers(received.headers, secrets),
        "changed": None if is_unsure else False,
    }
    if issubclass(kind, Throttled):
        more["wait"] = asked_wait(received.headers, policy.waits, now)
    error = kind(_words(kind, host, received.status), **more)
    error.method = request.method
    return error


def _words(kind: type[Rejected], host: str, status: int) -> str:
    if issubclass(kind, Throttled):
        return f"{host} has had too many requests."
    what = "failed" if issubclass(kind, Faulty) else "refused the request"
    return f"{host} {what} (status {status})."


def _said(received: Received) -> Any:
    """Return the body of a refusal: data if it is JSON, whatever its type says; a page is of no use."""
    try:
        return json_of(received.content) if received.content else None
    except ValueError:
        text = received.content[: 4 * _LONGEST].decode(errors="replace")
        return None if "HTML" in kind_of(received.content, "") else text[:_LONGEST]
