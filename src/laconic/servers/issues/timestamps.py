"""Moments, spelt as every file of a workspace spells them."""

from __future__ import annotations

import re
from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """Write a moment: UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """Write this moment."""
    return stamp(datetime.now(UTC))


def to_the_minute(stamped: str) -> str:
    """Leave out seconds, which no reader needs; anything else stays as it is."""
    return re.sub(r"(T\d\d:\d\d):\d\d(?:\.\d+)?Z$", r"\1Z", stamped)
