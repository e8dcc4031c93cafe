"""Paging: Taiga counts pages, callers count items."""

from dataclasses import dataclass
from typing import Final

_MOST: Final = 1000  # rows of a page, which Taiga does not exceed


@dataclass(frozen=True)
class PageCut:
    """A page to ask for, and which of its rows are wanted."""

    size: int
    page: int
    skip: int = 0


def cuts_for(offset: int, limit: int) -> list[PageCut]:
    """Return the pages that contain a range of rows: one wherever a page size makes that possible."""
    if offset % limit == 0:
        return [PageCut(limit, offset // limit + 1)]
    for size in range(limit + 1, _MOST + 1):
        if offset // size == (offset + limit - 1) // size:
            return [PageCut(size, offset // size + 1, offset % size)]
    first = offset // limit + 1
    return [PageCut(limit, first, offset % limit), PageCut(limit, first + 1)]
