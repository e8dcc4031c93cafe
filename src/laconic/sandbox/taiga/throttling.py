"""Throttling: so many requests of a user in any span of so many seconds; off unless a rate is set."""

from __future__ import annotations

from math import ceil

from laconic.sandbox.taiga.refusals import throttled

__all__ = ["Throttle"]

_EXEMPT = ("users", "memberships", "auth")


class Throttle:
    """Rates by scope, and when the requests of each user were accepted."""

    def __init__(self) -> None:
        self.rates: dict[str, tuple[int, float]] = {}  # by scope, such as `user-write`: amount, seconds
        self._times: dict[tuple[str, str], list[float]] = {}

    def enter(self, method: str, path: str, user: int | None, now: float) -> None:
        """Count a request, or refuse it, which is not counted."""
        if path.split("/")[0] in _EXEMPT:
            return
        scope = f"{'anon' if user is None else 'user'}-{'read' if method == 'GET' else 'write'}"
        self.check(scope, str(user), now)
        self.count(scope, str(user), now)

    def check(self, scope: str, who: str, now: float) -> None:
        """Refuse if the rate of a scope is reached."""
        if scope not in self.rates:
            return
        amount, seconds = self.rates[scope]
        times = [time for time in self._times.get((scope, who), []) if time > now - seconds]
        self._times[scope, who] = times
        if len(times) >= amount:
            raise throttled(max(ceil(times[-amount] + seconds - now), 1))

    def count(self, scope: str, who: str, now: float) -> None:
        """Count something that happened."""
        if scope in self.rates:
            self._times.setdefault((scope, who), []).append(now)
