"""Rates: what a client is told about the limit that it is nearest to."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import ceil

from laconic.kit.answers.answer import RateCount

__all__ = ["rate_headers"]


def rate_headers(counts: Sequence[RateCount]) -> dict[str, str]:
    """Return the headers: how many are allowed, how many are left, and when counting begins again."""
    nearest = min(counts, key=lambda one: (one.most - one.number, -one.left))
    return {
        "x-ratelimit-limit": str(nearest.most),
        "x-ratelimit-remaining": str(max(0, nearest.most - nearest.number)),
        "x-ratelimit-reset": str(ceil(time.time() + nearest.left)),
    }
