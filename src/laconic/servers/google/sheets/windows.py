"""Windows: rows of ranges of any size, from a place on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from laconic.servers.google.api.access import Access
from laconic.servers.google.sheets.ranges import SheetRange, is_like_a_title, parsed_range
from laconic.servers.google.sheets.structure import Structure

RENDER: Final = {"formatted": "FORMATTED_VALUE", "unformatted": "UNFORMATTED_VALUE", "formulas": "FORMULA"}
ROWS: Final = 5_000  # that are fetched at once
ORDINARY: Final = 26_000  # cells of a sheet as Google makes it: 1,000 rows of 26
RowPlace = tuple[int, int]
"""Which range, and which row of its sheet, both from zero."""


@dataclass(frozen=True)
class RowReader:
    """Reads rows of ranges of one spreadsheet."""

    access: Access
    id: str
    ranges: Sequence[SheetRange]
    render: str

    async def fetched(self, parts: Sequence[SheetRange]) -> list[list[list[Any]]]:
        """Return the rows of several parts, in one request and so of one moment."""
        answer = await self.access.call(
            "sheets_values_batchGet",
            spreadsheetId=self.id,
            ranges=[one.written() for one in parts],
            valueRenderOption=RENDER[self.render],
            dateTimeRenderOption="FORMATTED_STRING",
        )
        return [one.get("values", []) for one in answer.get("valueRanges", [])]

    def parts(self, start: RowPlace, count: int) -> Iterator[tuple[int, SheetRange]]:
        """Yield the parts of the ranges that hold the next `count` rows from a place on."""
        first, top = start
        for which, one in enumerate(self.ranges[first:], first):
            begin, end = max(top, one.top), one.bottom or 0
            top = 0
            take = min(count, end - begin)
            if take > 0:
                yield which, one.rows(begin, begin + take)
                count -= take
            if count <= 0:
                return

    def after(self, start: RowPlace, count: int) -> RowPlace | None:
        """Return the place after `count` rows from another one on; None at the end."""
        which, top = start
        while which < len(self.ranges):
            one = self.ranges[which]
            begin, end = max(top, one.top), one.bottom or 0
            if end - begin > count:
                return which, begin + count
            count -= max(0, end - begin)
            which, top = which + 1, 0
        return None


async def open_reader(access: Access, id: str, ranges: Sequence[str], render: str) -> RowReader:
    """Return a reader; asks for the structure unless all ranges say their ends and fit one request.

    A request that begins beyond the end of a sheet is refused, one that ends there is not.
    """
    known = [one for one in map(_own_ends, ranges) if one is not None]
    if ranges and len(known) == len(ranges) and _fit_a_request(known):
        return RowReader(access, id, known, render)
    structure = await Structure.of(access, id)
    wanted = ranges or [one["title"] for one in structure.sheets[:1]]
    return RowReader(access, id, [structure.resolved(one) for one in wanted], render)


def _own_ends(text: str) -> SheetRange | None:
    """Return a range that says which cells it has; None if that depends on the spreadsheet."""
    found = parsed_range(text)
    is_known = found is not None and found.bottom is not None and found.right is not None
    return found if is_known and not is_like_a_title(text) else None


def _fit_a_request(ranges: Sequence[SheetRange]) -> bool:
    columns = max((one.right or 0) - one.left for one in ranges)
    return sum((one.bottom or 0) - one.top for one in ranges) <= min(ROWS, ORDINARY // max(1, columns))
