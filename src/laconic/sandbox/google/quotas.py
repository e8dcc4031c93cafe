"""Quotas: so many requests of a person in any minute; off unless amounts are set."""

from __future__ import annotations

from collections import defaultdict

from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.routing import Route

__all__ = ["Allowance"]

_MINUTE = 60.0


class Allowance:
    """Amounts per minute by group, such as `sheets reads`, and when requests were accepted."""

    def __init__(self) -> None:
        self.amounts: dict[str, int] = {}
        self._times: dict[tuple[str, str], list[float]] = defaultdict(list)

    def enter(self, route: Route, email: str, now: float) -> None:
        """Count a request, or refuse it, which is not counted."""
        kind = "reads" if route.facts["method"] == "GET" else "writes"
        group = f"{route.api} {kind}"
        if group not in self.amounts:
            return
        times = [one for one in self._times[group, email] if one > now - _MINUTE]
        if len(times) >= self.amounts[group]:
            if route.api == "drive":
                raise GoogleRefusal(403, "userRateLimitExceeded", "User Rate Limit Exceeded")
            name = "Read requests" if kind == "reads" else "Write requests"
            text = f"Quota exceeded for quota metric '{name}' and limit '{name} per minute per user'"
            raise GoogleRefusal(429, "RATE_LIMIT_EXCEEDED", text)
        self._times[group, email] = [*times, now]
