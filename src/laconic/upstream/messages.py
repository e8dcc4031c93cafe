"""What is asked of another system, and what it answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

__all__ = ["ApiReply", "ApiRequest", "Reading", "Resending"]

Resending = Literal["read", "repeatable", "once"]
"""`read` changes nothing, `repeatable` has the same effect twice as once, `once` must not be sent twice."""

Reading = Literal["json", "text", "bytes"]

_BY_METHOD: Final[Mapping[str, Resending]] = {
    "GET": "read",
    "HEAD": "read",
    "OPTIONS": "read",
    "PUT": "repeatable",
    "DELETE": "repeatable",
}


@dataclass(frozen=True, kw_only=True)
class ApiRequest:
    """One request; what it leaves open is decided by the session's policy."""

    method: str = "GET"
    path: str
    query: Mapping[str, Any] = field(default_factory=dict, repr=False)  # None leaves a parameter out
    body: Any = field(default=None, repr=False)  # sent as JSON
    content: bytes | None = field(default=None, repr=False)  # sent as it is
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    reads: Reading = "json"
    resending: Resending | None = None  # None: by its method
    accepts: Collection[int] = ()  # statuses that are fine, besides those from 200 to 299
    group: str = ""  # which quota it counts for
    cost: int = 1  # how much of it
    timeout: float | None = None
    most: int | None = None  # bytes of its answer

    @property
    def effect(self) -> Resending:
        """What sending it twice would do."""
        return self.resending or _BY_METHOD.get(self.method, "once")

    @property
    def changes(self) -> bool:
        """True if it may change something."""
        return self.effect != "read"


@dataclass(frozen=True)
class ApiReply:
    """An answer that is a success."""

    status: int
    headers: Mapping[str, str]  # names in any case
    data: Any  # parsed JSON, text or bytes, as asked; None if there was no body
    attempts: int = 1  # how many times the request was sent
    waited: float = 0.0  # seconds spent waiting for a quota or between attempts
