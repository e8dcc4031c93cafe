"""Filters: an issue must match every filter, and a filter matches any of its values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter

from laconic.data import dataclass
from laconic.servers.issues.store import Entry

__all__ = ["Filters"]


@dataclass(frozen=True)
class Filters:
    """Which issues to keep: an empty list or a missing filter keeps all, an empty text those without one."""

    ids: Sequence[str] | None = None
    status: Sequence[str] | None = None
    priority: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    types: Sequence[str] | None = None
    assignee: str | None = None
    project: str | None = None
    parent: str | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None

    def among(self, entries: list[Entry]) -> list[Entry]:
        """Return the matching entries in their order; the same list if nothing is filtered."""
        if self == Filters(status=self.status, priority=self.priority, types=self.types):
            for name, wanted in (("status", self.status), ("priority", self.priority), ("type", self.types)):
                entries = _with(entries, name, wanted) if wanted else entries
            return entries
        return [entry for entry in entries if self.keep(entry)]

    def keep(self, entry: Entry) -> bool:
        """True if an issue matches."""
        return (
            _any(self.ids, entry.id)
            and _any(self.status, entry.status)
            and _any(self.priority, entry.priority)
            and _any(self.types, entry.type)
            and (not self.labels or any(label in entry.labels for label in self.labels))
            and _same(self.assignee, entry.assignee)
            and _same(self.project, entry.project)
            and _same(self.parent, entry.parent)
            and self._in_time(entry)
        )

    def _in_time(self, entry: Entry) -> bool:
        if self.created_after is None and self.created_before is None:
            return True
        at = entry.created_at
        if at is None:
            return False
        return (self.created_after is None or at >= self.created_after) and (
            self.created_before is None or at <= self.created_before
        )


def _with(entries: list[Entry], name: str, wanted: Sequence[str]) -> list[Entry]:
    """Keep entries with one of these values: a fast path for the most common filters."""
    values = map(attrgetter(name), entries)
    return [entry for entry, value in zip(entries, values, strict=True) if value in wanted]


def _any(wanted: Sequence[str] | None, value: str) -> bool:
    return not wanted or value in wanted


def _same(wanted: str | None, value: str | None) -> bool:
    return wanted is None or (value or "") == wanted
