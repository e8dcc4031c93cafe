"""Lanes: the columns of a board, each with its cards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from laconic.cli.issues.viewing.query import Query
    from laconic.cli.issues.workspace import OpenWorkspace
    from laconic.kit.answers.pages import Page
    from laconic.servers.issues.models import Issue

__all__ = ["GAP", "NARROWEST", "Lanes", "column_width", "lanes_of"]

NARROWEST: Final = 22  # characters of a column
GAP: Final = 2
_ALWAYS: Final = ("open", "in_progress", "closed")  # shown even without a card

Lanes = dict[str, "Page[Issue]"]


def lanes_of(opened: OpenWorkspace, query: Query, limit: int | None, width: int | None) -> Lanes:
    """Return the cards of each column: the usual columns always, others if they have cards."""
    from laconic.servers.issues.models import COMPLETE, STATUSES

    counts = {status: _only(query, [status]).page(opened, 1).total or 0 for status in _statuses()}
    groups = [[status] for status, count in counts.items() if count or status in _ALWAYS]
    groups[0] += _odd(opened)
    if width is not None and column_width(width, len(groups)) < NARROWEST:
        groups = _folded(groups, width)
    lanes: Lanes = {}
    for statuses in groups:
        sort = None if statuses[0] in COMPLETE else ("priority", True)
        lanes[", ".join(status for status in statuses if status in STATUSES)] = _only(query, statuses).page(
            opened, limit, sort
        )
    return lanes


def _folded(groups: list[list[str]], width: int) -> list[list[str]]:
    """Put all finished issues into one column if the columns then fit; otherwise they are stacked."""
    from laconic.servers.issues.models import COMPLETE

    done = [status for group in groups for status in group if status in COMPLETE]
    fewer = [*(group for group in groups if group[0] not in COMPLETE), done]
    return fewer if column_width(width, len(fewer)) >= NARROWEST else groups


def _only(query: Query, statuses: list[str]) -> Query:
    return replace(query, filters=replace(query.filters, status=statuses))


def _statuses() -> list[str]:
    """Return statuses in order of work, the finished ones last."""
    from laconic.servers.issues.models import COMPLETE, STATUSES

    return sorted(STATUSES, key=COMPLETE.__contains__)


def _odd(opened: OpenWorkspace) -> list[str]:
    """Return statuses that only a typing error makes: their cards are open ones, each with a warning."""
    from laconic.cli.issues import values
    from laconic.servers.issues.models import STATUSES

    return [status for status in values.used("status", opened.tracker) if status not in STATUSES]


def column_width(width: int, columns: int) -> int:
    """Return the width of each of this many columns."""
    return (width + GAP) // columns - GAP
