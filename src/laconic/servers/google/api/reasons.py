"""Reasons: what Google says when it refuses, in both of its forms, and which refusals pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from laconic.upstream import Invalid, Rejected, Throttled

_PASSING: Final = ("rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED")


@dataclass(frozen=True)
class Reason:
    """What a refusal says."""

    message: str = ""
    word: str = ""  # such as notFound, or ACCESS_TOKEN_SCOPE_INSUFFICIENT
    details: tuple[str, ...] = ()  # what is wrong with single fields
    place: str = ""  # the parameter that is wrong, where the older form names it


def reason_of(body: Any) -> Reason:
    """Read a refusal, whichever form it has."""
    error = body.get("error") if isinstance(body, Mapping) else None
    if isinstance(error, str):  # of the token address
        return Reason(str(body.get("error_description") or ""), error)
    if not isinstance(error, Mapping):
        return Reason()
    words, violations, place = [str(error.get("status") or "")], [], ""
    for detail in _objects(error.get("details")):
        if "reason" in detail:
            words.insert(0, str(detail["reason"]))
        for violation in _objects(detail.get("fieldViolations")):
            violations.append(f"{violation.get('field', '')}: {violation.get('description', '')}".strip(": "))
    for older in _objects(error.get("errors")):
        if "reason" in older:
            words.insert(0, str(older["reason"]))
            place = str(older.get("location") or "")
            break
    return Reason(" ".join(str(error.get("message") or "").split()), words[0], tuple(violations), place)


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def kind_of_refusal(status: int, body: Any) -> type[Rejected] | None:
    """Return the kind of a refusal where its status does not say it: too many requests may be a 403."""
    if status == 501:  # it was not even tried
        return Invalid
    return Throttled if status == 403 and reason_of(body).word in _PASSING else None
