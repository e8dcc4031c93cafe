"""Whether a request that failed is sent again, and after how long a wait."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final

from laconic.upstream.errors import Faulty, Throttled, Unreachable, UpstreamError
from laconic.upstream.messages import Resending

__all__ = ["Retrying", "asked_wait"]

_PASSING: Final = frozenset({500, 502, 503, 504})
_LONGEST: Final = 32.0  # seconds between two attempts, unless the other system asks for more


@dataclass(frozen=True)
class Retrying:
    """How often and how long to try.

    A read, and a write with the same effect twice as once, is sent again after a broken connection and after
    a fault that may pass. A request that must not be sent twice is sent again only if it was throttled and
    `throttled_creates` says so: then it was certainly not executed.
    """

    attempts: int = 3  # a throttled request is sent again while the patience lasts, unless this is 1
    patience: float = 30.0  # seconds, for all waits of one request together
    throttled_creates: bool = False
    chance: Callable[[], float] = random.random

    def again(self, error: UpstreamError, effect: Resending) -> bool:
        """True if another attempt makes sense and is safe."""
        if isinstance(error, Throttled):  # as often as the patience lasts: it was not executed
            return self.attempts > 1 and (effect != "once" or self.throttled_creates)
        if error.attempts >= self.attempts:
            return False
        is_passing = isinstance(error, Unreachable) or (
            isinstance(error, Faulty) and error.status in _PASSING
        )
        return is_passing and effect != "once"

    def pause(self, error: UpstreamError, asked: float) -> float:
        """Return the seconds to wait: twice as long each time, and never less than was asked for."""
        own = min(2.0 ** (error.attempts - 1) + self.chance(), _LONGEST)
        return max(own, asked)


def asked_wait(headers: Mapping[str, str], names: Sequence[str], now: float) -> float:
    """Return the seconds that an answer asks to wait: the largest of Retry-After and the vendor's headers."""
    waits = [_seconds(headers.get(name, "")) for name in ("retry-after", *names)]
    return max(0.0, _until(headers.get("retry-after", ""), now), *waits)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if isfinite(seconds) else 0.0


def _until(value: str, now: float) -> float:
    try:
        moment = parsedate_to_datetime(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now
    except (ValueError, OverflowError):
        return 0.0
