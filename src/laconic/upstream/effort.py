"""The effort for one request: how often it was sent, how long it waited, and if it may have had an effect."""

from __future__ import annotations

from laconic.upstream.errors import Absent, Rejected, Throttled, UpstreamError
from laconic.upstream.messages import ApiReply, ApiRequest
from laconic.upstream.policy import Policy
from laconic.upstream.retrying import asked_wait

__all__ = ["Effort"]


class Effort:
    """What is known about a request while it is being sent."""

    def __init__(self, request: ApiRequest, policy: Policy) -> None:
        self.request, self._policy = request, policy
        self.attempts = 0
        self.waited = 0.0
        self.is_renewed = False  # a token is renewed once for a request
        self.is_over = False  # no further attempt makes sense
        self._is_unsure = False  # an attempt may have been executed

    def patience(self) -> float:
        """Return the seconds that may still be spent waiting."""
        left = self._policy.retrying.patience - self.waited
        caller = self._policy.time_left()
        return max(0.0, left if caller is None else min(left, caller))

    def failed(self, error: UpstreamError) -> None:
        """Note a failure, and tell it what the earlier attempts mean for it."""
        self._is_unsure = self._is_unsure or error.changed is None
        error.changed = None if self._is_unsure else False
        error.attempts = self.attempts

    def is_done(self, error: UpstreamError) -> bool:
        """True if a deleted thing is gone, and it may have been this request that deleted it."""
        return self.request.method == "DELETE" and isinstance(error, Absent) and self._is_unsure

    def done(self, error: UpstreamError) -> ApiReply:
        """Return the reply to a request that is done."""
        assert isinstance(error, Rejected)
        return ApiReply(error.status, error.headers, None, self.attempts, self.waited)

    def pause(self, error: UpstreamError, now: float) -> float | None:
        """Return the seconds before another attempt; None if there is none."""
        retrying = self._policy.retrying
        if self.is_over or not retrying.again(error, self.request.effect):
            return None
        pause = retrying.pause(error, self._asked(error, now))
        return pause if pause <= self.patience() else None

    def _asked(self, error: UpstreamError, now: float) -> float:
        if isinstance(error, Throttled):
            return error.wait
        return asked_wait(error.headers, self._policy.waits, now) if isinstance(error, Rejected) else 0.0
