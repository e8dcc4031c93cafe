"""Refusals: errors as Google sends them, in the older form of Drive and the newer one of the other APIs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

__all__ = ["GoogleRefusal", "bad_request", "no_file", "not_done", "scope_missing"]

_STATUSES: Final = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
}


class GoogleRefusal(Exception):
    """A request that is not carried out."""

    def __init__(
        self,
        status: int,
        reason: str,
        message: str,
        *,
        location: str = "",
        violations: Sequence[tuple[str, str]] = (),
        name: str = "",
    ) -> None:
        super().__init__(message)
        self.status, self.reason, self.message = status, reason, message
        self.location, self.violations, self.name = location, violations, name

    def body(self, api: str) -> dict[str, Any]:
        """Return the body in the form of an API."""
        if api == "drive":
            return {"error": {"code": self.status, "message": self.message, "errors": [self._older()]}}
        error: dict[str, Any] = {"code": self.status, "message": self.message}
        error["status"] = self.name or _STATUSES.get(self.status, "UNKNOWN")
        details = self._details()
        return {"error": {**error, **({"details": details} if details else {})}}

    def _older(self) -> dict[str, Any]:
        found = {"domain": "global", "reason": self.reason, "message": self.message}
        where = {"location": self.location, "locationType": "parameter"} if self.location else {}
        return {**found, **where}

    def _details(self) -> list[dict[str, Any]]:
        details: list[dict[str, Any]] = []
        if self.reason.isupper():
            kind = "type.googleapis.com/google.rpc.ErrorInfo"
            details.append({"@type": kind, "reason": self.reason, "domain": "googleapis.com", "metadata": {}})
        if self.violations:
            listed = [{"field": field, "description": text} for field, text in self.violations]
            kind = "type.googleapis.com/google.rpc.BadRequest"
            details.append({"@type": kind, "fieldViolations": listed})
        return details


def bad_request(message: str, *, reason: str = "badRequest", location: str = "") -> GoogleRefusal:
    """Return the refusal of a request that does not fit."""
    return GoogleRefusal(400, reason, message, location=location)


def no_file(id: str) -> GoogleRefusal:
    """Return the refusal for a file that does not exist, or that the account does not see."""
    return GoogleRefusal(404, "notFound", f"File not found: {id}.", location="fileId")


def wrong_kind(reason: str = "failedPrecondition") -> GoogleRefusal:
    """Return the refusal for a file that exists, but is not what the API works on."""
    text = "This operation is not supported for this document"
    return GoogleRefusal(400, reason, text, name="FAILED_PRECONDITION")


def scope_missing(api: str) -> GoogleRefusal:
    """Return the refusal for a token without the scope that is needed."""
    reason = "insufficientPermissions" if api == "drive" else "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    return GoogleRefusal(403, reason, "Request had insufficient authentication scopes.")


def not_done(id: str) -> GoogleRefusal:
    """Return the refusal for what the practice instance does not do."""
    return GoogleRefusal(501, "notImplemented", f"The practice Google does not do {id}.")
