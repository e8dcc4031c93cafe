"""Lists of Drive: a page of rows, over pages that are empty though more follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from laconic.kit import Page, Record, Window
from laconic.servers.google.api.access import Access

__all__ = ["DriveRows", "rows_of"]

R = TypeVar("R", bound=Record)

_PAGES: Final = 20  # pages without a row, though there may be more


@dataclass(frozen=True)
class DriveRows:
    """Rows of a list, and the token of the next page; Drive never says how many there are."""

    rows: list[dict[str, Any]]
    next: str | None
    is_first: bool
    is_partial: bool  # not every drive was searched

    def page(self, shown: Callable[[Mapping[str, Any]], R], remark: str = "") -> Page[R]:
        """Return them as callers see them."""
        is_all = self.next is None and self.is_first and not self.is_partial
        total = len(self.rows) if is_all else None
        next = (self.next,) if self.next else None
        return Page([shown(row) for row in self.rows], total, next=next, remark=remark)


async def rows_of(access: Access, operation: str, key: str, window: Window, **query: Any) -> DriveRows:
    """Ask for the page of a list that a window wants."""
    token = str(window.position[0]) if window.position else None
    found: list[dict[str, Any]] = []
    is_partial = False
    for _ in range(_PAGES):
        answer = await access.call(operation, **{"pageSize": window.count, **query, "pageToken": token})
        found += answer.get(key, [])
        is_partial = is_partial or bool(answer.get("incompleteSearch"))
        token = answer.get("nextPageToken")
        if found or not token:
            break
    return DriveRows(found, token, not window.position, is_partial)
