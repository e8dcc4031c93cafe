"""Pages of a list: thirty rows unless asked otherwise, a thousand at most, 404 past the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode

from laconic.sandbox.taiga.refusals import missing

__all__ = ["cut"]

_SIZE: Final = 30
_MOST: Final = 1000


def cut(
    rows: Sequence[Any], query: Mapping[str, str], headers: Mapping[str, str], address: str
) -> tuple[Sequence[Any], dict[str, str]]:
    """Return the rows of one page, and the headers about it.

    Raises:
        Refusal: there is no such page.
    """
    if "x-disable-pagination" in headers:  # whatever its value
        return rows, {}
    size = _positive(query.get("page_size", "")) or _SIZE
    size = min(size, _MOST)
    last = max(ceil(len(rows) / size), 1)
    asked = query.get("page", "1")
    page = last if asked == "last" else _positive(asked)
    if page is None or page > last:
        raise missing("Page is not 'last', nor can it be converted to an int.")
    about = {"x-paginated": "true", "x-paginated-by": str(size), "x-pagination-current": str(page)}
    if "x-lazy-pagination" not in headers:
        about["x-pagination-count"] = str(len(rows))
    for name, other in (("X-Pagination-Next", page + 1), ("X-Pagination-Prev", page - 1)):
        if 1 <= other <= last:
            about[name] = f"{address}?{urlencode({**query, 'page': other})}"
    return rows[(page - 1) * size : page * size], about


def _positive(text: str) -> int | None:
    return int(text) if text.isdecimal() and int(text) else None
