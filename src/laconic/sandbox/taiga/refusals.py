"""Refusals: the shapes in which Taiga says no. Clients must not match on the texts, which are translated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "Refusal",
    "anonymous",
    "bad_request",
    "blocked",
    "broken",
    "denied",
    "missing",
    "not_a_field",
    "stale_token",
    "throttled",
    "wrong_arguments",
]

_TYPE = "taiga.base.exceptions."


class Refusal(Exception):
    """An answer that is no success."""

    def __init__(
        self, status: int, body: Any, headers: Mapping[str, str] | None = None, *, is_html: bool = False
    ) -> None:
        super().__init__(f"status {status}")
        self.status, self.body, self.headers = status, body, dict(headers or {})
        self.is_html = is_html  # sent as text/html, whatever it is


def _typed(status: int, kind: str, text: str, headers: Mapping[str, str] | None = None) -> Refusal:
    return Refusal(status, {"_error_message": text, "_error_type": f"{_TYPE}{kind}"}, headers)


def not_a_field(**texts: str | list[str]) -> Refusal:
    """Refuse fields by name; a list of texts is the usual form, some checks send a plain text."""
    return Refusal(400, texts)


def wrong_arguments(text: str) -> Refusal:
    """Refuse what belongs to another project, as tasks and epics do."""
    return _typed(400, "WrongArguments", text)


def bad_request(text: str) -> Refusal:
    """Refuse a filter or a body that cannot be read."""
    return _typed(400, "BadRequest", text)


def denied() -> Refusal:
    """Refuse for a missing permission, and for much else."""
    return _typed(403, "PermissionDenied", "You do not have permission to perform this action.")


def blocked() -> Refusal:
    """Refuse a write in a project that the site has blocked."""
    return _typed(451, "Blocked", "Blocked element")


def missing(text: str = "") -> Refusal:
    """Say that there is no such thing; the text is often empty, and there is no type."""
    return Refusal(404, {"_error_message": text})


def anonymous() -> Refusal:
    """Refuse somebody without a token."""
    words = "Authentication credentials were not provided."
    return _typed(401, "NotAuthenticated", words, {"WWW-Authenticate": 'Bearer realm="api"'})


def stale_token(inner: str = "Token is invalid or expired") -> Refusal:
    """Refuse a token that is expired, broken or of the wrong type."""
    message = {"token_class": "AccessToken", "token_type": "access", "message": inner}
    body = {
        "detail": "Given token not valid for any token type",
        "code": "token_not_valid",
        "messages": [message],
    }
    return Refusal(401, body, {"WWW-Authenticate": 'Bearer realm="api"'})


def throttled(seconds: int) -> Refusal:
    """Refuse for some time; the header is Taiga's own, and there is no Retry-After."""
    words = f"Request was throttled.Expected available in {max(seconds - 1, 0)} second."
    return _typed(429, "Throttled", words, {"X-Throttle-Wait-Seconds": str(seconds)})


def broken() -> Refusal:
    """Fail, as Taiga does also for input that it does not expect."""
    return Refusal(500, {"error": "Internal server error."}, is_html=True)
