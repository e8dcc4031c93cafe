"""Query: which issues a command shows, from its options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from laconic.cli.issues import values

if TYPE_CHECKING:
    from laconic.cli.issues.workspace import OpenWorkspace
    from laconic.kit.answers.pages import Page
    from laconic.servers.issues.filters import Filters
    from laconic.servers.issues.models import Issue

__all__ = ["Query", "Wanted", "query_of"]


@dataclass(frozen=True)
class Wanted:
    """The values of fields that a user filters by; None for all."""

    type: Sequence[str] | None = None
    priority: Sequence[str] | None = None
    label: Sequence[str] | None = None
    assignee: str | None = None
    project: str | None = None


@dataclass(frozen=True)
class Query:
    """The filters of a command, the words to search for, and whether finished issues are left out."""

    filters: Filters
    words: str | None
    is_unfinished: bool

    def page(
        self, opened: OpenWorkspace, limit: int | None, sort: tuple[str, bool] | None = None
    ) -> Page[Issue]:
        """Return the first `limit` issues, or all."""
        from laconic.kit.answers.pages import Window

        window = Window(limit=limit or 1_000_000_000)
        if self.words is None:
            return opened.tracker.find(window, self.filters, sort=sort or ("updated", True))
        fields = ("title", "description", "labels")
        return opened.tracker.search(window, self.words, fields, self.filters, sort, excerpts=False)

    def done(self, opened: OpenWorkspace, found: int) -> int:
        """Return how many more finished issues match."""
        if not self.is_unfinished:
            return 0
        every = replace(self, filters=replace(self.filters, status=None))
        return (every.page(opened, 1).total or 0) - found


def query_of(
    opened: OpenWorkspace,
    wanted: Wanted,
    search: str | None = None,
    *,
    status: Sequence[str] | None = None,
    unfinished: bool = True,
) -> Query:
    """Build a query from options; without a status it finds unfinished issues.

    Raises:
        BadConfiguration: a value is unknown.
    """
    from laconic.servers.issues.filters import Filters

    tracker = opened.tracker
    is_unfinished = unfinished and not values.split(status)
    filters = Filters(
        status=_open(opened) if is_unfinished else values.several("status", status, tracker),
        types=values.several("type", wanted.type, tracker),
        priority=values.several("priority", wanted.priority, tracker),
        labels=values.split(wanted.label) or None,
        assignee=wanted.assignee,
        project=wanted.project,
    )
    return Query(filters, search.strip() or None if search else None, is_unfinished)


def _open(opened: OpenWorkspace) -> list[str]:
    """Return every status in use that does not mean finished, including those of this workspace only."""
    from laconic.servers.issues.models import COMPLETE

    return [status for status in values.used("status", opened.tracker) if status not in COMPLETE]
