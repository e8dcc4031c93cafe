"""The orders of lists: by match, by urgency, or by a field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from laconic.servers.issues.models import PRIORITIES
from laconic.servers.issues.store import Entry, newness

if TYPE_CHECKING:
    from laconic.servers.issues.search.text_search import Hit

__all__ = ["merit", "sort_value", "urgency"]

_ORDER: Final = {name: number for number, name in enumerate(PRIORITIES)}
_NEVER: Final = 2**63  # later than any time, in microseconds


def merit(hit: Hit) -> tuple[int, int, str]:
    """Sort key: worst match first, then oldest."""
    return hit.score, *newness(hit.entry)


def urgency(entry: Entry) -> tuple[int, int, str]:
    """Sort key: most urgent first, then oldest."""
    return (-_ORDER.get(entry.priority, 1), entry.created or _NEVER, entry.path)


def sort_value(entry: Entry, name: str) -> str | int:
    """Sort key: the value of a field."""
    if name == "priority":
        return _ORDER.get(entry.priority, -1)
    if name == "status":
        return entry.status
    return (entry.created if name == "created" else entry.updated) or 0
