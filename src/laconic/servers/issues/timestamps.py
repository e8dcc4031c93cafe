"""Timestamps in the format that all files of a workspace use."""

from __future__ import annotations

import re
from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """Format a time: UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """Return the current time as a timestamp."""
    return stamp(datetime.now(UTC))


def to_the_minute(stamped: str) -> str:
    """Drop the seconds of a timestamp, which no reader needs; return any other text unchanged."""
    return re.sub(r"(T\d\d:\d\d):\d\d(?:\.\d+)?Z$", r"\1Z", stamped)
