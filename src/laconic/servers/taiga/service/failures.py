"""Failures: what Taiga's refusals mean, and what a caller can do about them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from laconic.kit import BadArguments, Failure, Problem, RateLimited, Refused, UpstreamDown, failure_of
from laconic.servers.taiga.api.account import SignedOut
from laconic.text import to_camel
from laconic.upstream import (
    Clash,
    Forbidden,
    Invalid,
    Rejected,
    Throttled,
    Unauthorised,
    Unreachable,
    UpstreamError,
)

_SIGN_IN: Final = "A person must sign in again: 'laconic taiga login'."
_BLOCKED: Final = "The site has blocked this project: it can be read and not changed."
ARGUMENTS: Final = {  # what Taiga calls our arguments
    "status": "statusId",
    "assigned_to": "assignedToId",
    "assigned_users": "assignedToId",
    "milestone": "sprintId",
    "user_story": "userStoryId",
    "blocked_note": "blocked",
    "is_blocked": "blocked",
    "due_date": "dueDate",
    "project": "projectId",
    "estimated_start": "start",
    "estimated_finish": "finish",
    "__all__": "arguments",
    "non_field_errors": "arguments",
}
_WHOLE: Final = ("__all__", "non_field_errors")  # about no single field


@contextmanager
def telling() -> Iterator[None]:
    """Raise the errors of the session as failures that say what to do."""
    try:
        yield
    except UpstreamError as error:
        raise told(error) from error


def told(error: UpstreamError) -> Failure:
    """Return an error of the session as a failure."""
    failure = _told(error)
    failure.changed = error.changed
    failure.harmless = error.harmless
    if isinstance(error, Rejected):
        failure.about |= about(error)
    return failure


def about(error: Rejected) -> dict[str, Any]:
    """Return what programs learn about a refusal: its status, and Taiga's own code."""
    body = error.body if isinstance(error.body, Mapping) else {}
    code = body.get("code") or str(body.get("_error_type") or "").rpartition(".")[2]
    return {"httpStatus": error.status, **({"taigaCode": code} if code else {})}


def _told(error: UpstreamError) -> Failure:
    match error:
        case Unreachable():
            return UpstreamDown(f"Network unreachable: {error}")
        case Throttled():
            return RateLimited("Rate limited", retry_after=error.wait)
        case Unauthorised():
            return SignedOut(f"{error} {said(error.body)}".strip(), advice=_SIGN_IN)
        case Forbidden() if error.status == 451:
            return Refused(_BLOCKED, advice="Work on another project.")
        case Invalid() | Clash():
            return _invalid(error)
    return failure_of(error)


def _invalid(error: Rejected) -> Failure:
    """Return the fields that Taiga refuses, by our names; it sends texts, or lists of them."""
    body = error.body
    if isinstance(body, Mapping) and "_error_message" not in body and body:
        problems = []
        for name, texts in body.items():
            argument = ARGUMENTS.get(str(name), to_camel(str(name)))
            words = " ".join(map(str, texts)) if isinstance(texts, list) else str(texts)
            is_whole = name in _WHOLE
            problems.append(Problem("" if is_whole else argument, f"Invalid {argument}: {words[:200]}"))
        details = {problem.field: problem.message.partition(": ")[2] for problem in problems}
        return BadArguments(problems, about={"details": details})
    return BadArguments(f"{error} {said(body)}".strip())


def said(body: Any) -> str:
    """Return Taiga's own words, shortened."""
    if isinstance(body, Mapping):
        body = body.get("_error_message") or body.get("detail")
    words = " ".join(body.split()) if isinstance(body, str) else ""
    return f"It says: '{words[:200]}'" if words else ""
